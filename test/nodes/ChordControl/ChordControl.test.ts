import type { IDataObject } from 'n8n-workflow';
import { until } from '../../support/until';
import { shutDownRegistry } from '../support/ChordProject';
import { files, steps, itemOf } from '../support/controlScene';
import { chordNode } from '../support/flow';
import { codeOf, profiles, Scene, useScene } from '../support/Scene';

jest.setTimeout(60_000);

afterAll(shutDownRegistry);

const withRoles = profiles.filter((profile) => profile !== 'd1');

describe.each(profiles)('Chord Control on %s', (profile) => {
  const scene = useScene(profile, steps, { files });

  const send = (task: string, parameters?: IDataObject) => scene.send(task, parameters);

  /** Leaves Chord working on something without end. */
  const keepBusy = async () => {
    await send('slow', { waitFor: 'nothing' });
    // With a phase the model has been asked: what was still on its way before says nothing against that any more.
    await until(async () => {
      const { busy, phase } = itemOf(
        await scene.run('chordStatus', [{}], { sessionName: scene.sessionName }),
      );
      return busy === true && phase !== null;
    });
  };

  const written = (type: string) => scene.project.commands(type).length;

  const slashes = () =>
    scene.project.commands('send').filter(({ content }) => String(content).startsWith('/')).length;

  test('shows the model pools, sets one, and reads it back', async () => {
    expect(itemOf(await scene.control('getModelPool'))).toMatchObject({
      operation: 'getModelPool',
      outcome: 'done',
      current_pool: '',
      agents: expect.arrayContaining([{ name: 'builder', pool: 'standard', fixed: false }]),
      session: { name: scene.sessionName },
    });
    expect(itemOf(await scene.control('setModelPool', { pool: 'thinking' }))).toMatchObject({
      outcome: 'done',
      current_pool: 'thinking',
      agents: expect.arrayContaining([{ name: 'builder', pool: 'thinking', fixed: false }]),
    });
    const before = written('models');
    await scene.control('setModelPool', { pool: { __rl: true, mode: 'id', value: ' thinking ' } });
    expect(scene.project.commands('models').slice(before)).toEqual([{ type: 'models', action: 'status' }]);
  });

  test('a pool that does not exist is an error, although Chord says ok to it', async () => {
    const execution = await scene.control('setModelPool', { pool: 'gamma' });
    expect(codeOf(execution)).toBe('command_failed');
    expect(execution.error?.message).toContain('gamma');
    expect(itemOf(await scene.control('getModelPool')).current_pool).toBe('');
  });

  test('sets the pool of one agent', async () => {
    const set = { pool: 'thinking', agent: 'helper' };
    expect(itemOf(await scene.control('setModelPool', set))).toMatchObject({
      outcome: 'done',
      agents: expect.arrayContaining([{ name: 'helper', pool: 'thinking', fixed: true }]),
    });
    const unknown = await scene.control('setModelPool', { pool: 'thinking', agent: 'nobody' });
    expect(codeOf(unknown)).toBe('command_failed');
    expect(unknown.error?.message).toContain('nobody');
  });

  test('no name that goes into a command of Chord can be an option of it', async () => {
    const before = written('send');
    for (const [operation, parameters] of [
      ['setModelPool', { pool: '--reset' }],
      ['setModelPool', { pool: 'thinking', agent: '--agent' }],
      ['resumeSession', { sessionId: '-x' }],
    ] as const) {
      expect(codeOf(await scene.control(operation, parameters))).toBe('invalid_settings');
    }
    expect(written('send')).toBe(before);
  });

  test('cancels running work; without any nothing is written', async () => {
    await keepBusy();
    expect(itemOf(await scene.control('cancelTurn'))).toMatchObject({ outcome: 'done', cancelled: true });
    await until(
      async () => !itemOf(await scene.run('chordStatus', [{}], { sessionName: scene.sessionName })).busy,
    );
    const before = written('cancel');
    expect(itemOf(await scene.control('cancelTurn'))).toMatchObject({
      outcome: 'unchanged',
      cancelled: false,
      summary: 'Nothing was running, so nothing was cancelled.',
    });
    expect(written('cancel')).toBe(before);
  });

  test('where Chord does not run, nothing is started to end something', async () => {
    const starts = scene.project.recorded('session').length;
    for (const operation of ['acknowledgeUnknown', 'cancelTurn', 'loopOff', 'stopProcess']) {
      expect(itemOf(await scene.control(operation))).toMatchObject({ outcome: 'unchanged' });
    }
    expect(itemOf(await scene.control('cancelWait', { executionId: '77' }))).toMatchObject({
      outcome: 'unchanged',
      execution_id: '77',
      summary: 'Execution 77 is not waiting for this session.',
    });
    expect(scene.project.recorded('session')).toHaveLength(starts);
  });

  test('begins a new session and resumes the earlier one, and says which is active', async () => {
    const first = itemOf(await send('hello')).session as IDataObject;
    const begun = itemOf(await scene.control('newSession'));
    expect(begun).toMatchObject({ outcome: 'done', previous_session_id: first.id });
    expect(begun.active_session_id).not.toBe(first.id);
    expect(begun.session).toMatchObject({ id: begun.active_session_id });
    await send('hello again');
    const resumed = itemOf(await scene.control('resumeSession', { sessionId: String(first.id) }));
    expect(resumed).toMatchObject({
      outcome: 'done',
      previous_session_id: begun.active_session_id,
      active_session_id: first.id,
      summary: `The session ${String(first.id)} is active now.`,
    });
    expect(scene.project.recorded('session').slice(-2)).toMatchObject([
      { session_id: begun.active_session_id, how: 'switched' },
      { session_id: first.id, how: 'switched' },
    ]);
  });

  test('an unknown session is an error, and the present one stays', async () => {
    const { session } = itemOf(await send('hello')) as { session: IDataObject };
    const execution = await scene.control('resumeSession', { sessionId: '19990101000000000' });
    expect(codeOf(execution)).toBe('command_failed');
    expect(execution.error?.message).toContain('19990101000000000');
    expect(itemOf(await send('hello again'))).toMatchObject({ session: { id: session.id } });
  });

  test('without a process a new session is begun by the start itself', async () => {
    const before = slashes();
    const { active_session_id: id } = itemOf(await scene.control('newSession'));
    expect(scene.project.recorded('session').at(-1)).toMatchObject({ session_id: id, how: 'started' });
    expect(slashes()).toBe(before);
  });

  test('what would disturb others fails while Chord works, and goes on by force', async () => {
    await send('hello');
    await keepBusy();
    const operations = [
      'newSession',
      'resumeSession',
      'restartProcess',
      'stopProcess',
      ...(profile === 'd1' ? [] : ['setRole']),
    ];
    const before = slashes();
    for (const operation of operations) {
      const execution = await scene.control(operation, { role: 'planner', sessionId: '19990101000000000' });
      expect([operation, codeOf(execution)]).toEqual([operation, 'session_busy']);
      expect(execution.error?.message).toMatch(
        /^(Chord|The session|The role) was not .*: a turn has been running since /,
      );
      expect(execution.error?.context.reasons).toEqual([
        expect.stringContaining('a turn has been running since '),
      ]);
    }
    expect(slashes()).toBe(before);
    const forced = itemOf(await scene.control('newSession', { options: { force: true } }));
    expect(forced.active_session_id).not.toBe(forced.previous_session_id);
    expect(itemOf(await send('hello again'))).toMatchObject({
      text: 'Yes.',
      session: { id: forced.active_session_id },
    });
  });

  test('a plan that waits for a decision: each operation obeys what the node says', async () => {
    const asked = await scene.ask('plan');
    const { id } = asked.request;
    const decided = () =>
      scene.project.recorded('handoff').filter(({ request_id: requestId }) => requestId === id);
    for (const operation of ['newSession', 'compact', 'loopOff']) {
      const execution = await scene.control(operation);
      expect([operation, codeOf(execution)]).toEqual([operation, 'request_open']);
      expect(execution.error?.message).toContain(id);
      expect(itemOf(await scene.control(operation, { options: { whenRequestOpen: 'skip' } }))).toMatchObject({
        outcome: 'skipped',
        reason: expect.stringContaining(id),
      });
    }
    for (const operation of ['stopProcess', 'restartProcess']) {
      const execution = await scene.control(operation);
      expect([operation, codeOf(execution)]).toEqual([operation, 'request_open']);
      expect(execution.error?.message).toContain(`the handoff ${id} is waiting for a decision`);
    }
    expect(decided()).toEqual([]);
    await scene.control('loopOff', { options: { whenRequestOpen: 'dismiss' } });
    await until(() => decided().length > 0);
    expect(decided()).toMatchObject([{ outcome: 'superseded' }]);
  });

  test('a refusal names who else holds the session', async () => {
    await keepBusy();
    const { sessionName } = scene;
    const active = await scene.engine.activate(chordNode('Listener', 'chordTrigger', { sessionName }));
    const { error } = await scene.control('stopProcess');
    expect(error?.message).toContain('Also using the session: Listener in workflow Test');
    expect(error?.context.held_by).toEqual([expect.stringContaining('Listener')]);
    await active.response.closeFunction?.();
  });

  test('a request that this execution holds is never waited for', async () => {
    const asked = await scene.ask('plan');
    const execution = await scene.run('chordControl', [asked], {
      operation: 'compact',
      sessionName: scene.sessionName,
      options: { whenRequestOpen: 'wait' },
    });
    expect(codeOf(execution)).toBe('request_open');
  });

  test('compacts and ends loop mode, with what Chord says', async () => {
    await send('hello');
    expect(itemOf(await scene.control('compact'))).toMatchObject({
      outcome: 'done',
      text: expect.any(String),
    });
    expect(itemOf(await scene.control('loopOff'))).toMatchObject({
      outcome: 'done',
      summary: 'Loop disabled.',
      text: 'Loop disabled.',
    });
  });

  test('ends loop mode also while Chord works', async () => {
    await keepBusy();
    expect(itemOf(await scene.control('loopOff'))).toMatchObject({ text: 'Loop disabled.' });
  });

  test('stops the process, and starts it again in the same conversation', async () => {
    const { session } = itemOf(await send('hello')) as { session: IDataObject };
    expect(itemOf(await scene.control('stopProcess'))).toMatchObject({ outcome: 'done' });
    expect(itemOf(await scene.run('chordStatus', [{}], { sessionName: scene.sessionName }))).toMatchObject({
      running: false,
      stopped_because: 'stopped',
    });
    expect(itemOf(await scene.control('restartProcess'))).toMatchObject({
      summary: 'Chord was not running and has been started.',
    });
    expect(scene.project.recorded('session').at(-1)).toMatchObject({
      session_id: session.id,
      how: 'resumed',
    });
    expect(itemOf(await scene.control('restartProcess'))).toMatchObject({ summary: 'Chord was restarted.' });
  });

  test('a shell command is refused without the credential’s leave, and Chord is not started for it', async () => {
    const starts = scene.project.recorded('session').length;
    const execution = await scene.control('runShell', { shellCommand: 'echo hello' });
    expect(codeOf(execution)).toBe('command_not_allowed');
    expect(scene.project.recorded('session')).toHaveLength(starts);
  });

  test.each<[string, IDataObject, string]>([
    ['no pool', { operation: 'setModelPool', pool: '' }, 'invalid_settings'],
    ['a pool with blanks', { operation: 'setModelPool', pool: 'two words' }, 'invalid_settings'],
    ['no role', { operation: 'setRole', role: '={{ "" }}' }, 'invalid_settings'],
    ['no session', { operation: 'resumeSession', sessionId: '={{ " " }}' }, 'invalid_settings'],
    ['a session id with blanks', { operation: 'resumeSession', sessionId: '1 /yolo' }, 'invalid_settings'],
    ['an object as the pool', { operation: 'setModelPool', pool: '={{ {a: 1} }}' }, 'invalid_settings'],
  ])('bad input: %s is refused in words, and nothing is written', async (_what, parameters, code) => {
    await scene.control('getModelPool');
    const before = slashes();
    const execution = await scene.control('', parameters);
    expect(codeOf(execution)).toBe(code);
    expect(slashes()).toBe(before);
  });
});

describe.each(withRoles)('roles on %s', (profile) => {
  const scene = useScene(profile, steps, { files });

  test('lists and takes them; the active one is a success', async () => {
    expect(itemOf(await scene.control('listRoles'))).toMatchObject({
      summary: 'The role is builder.',
      roles: [
        { name: 'builder', current: true },
        { name: 'planner', current: false },
      ],
    });
    expect(itemOf(await scene.control('setRole', { role: 'builder' }))).toMatchObject({ outcome: 'done' });
    expect(scene.project.commands('role').filter(({ action }) => action === 'set')).toEqual([]);
    expect(itemOf(await scene.control('setRole', { role: 'planner' }))).toMatchObject({
      roles: expect.arrayContaining([{ name: 'planner', current: true }]),
      session: { role: 'planner' },
    });
  });

  test('an unknown role is an error in Chord’s own words', async () => {
    const execution = await scene.control('setRole', { role: 'helper' });
    expect(codeOf(execution)).toBe('command_failed');
    expect(execution.error?.message).toContain('helper');
  });

  test('by force a role is taken in the middle of work', async () => {
    await scene.run('chordSend', [{ task: 'slow' }], {
      message: 'slow',
      sessionName: scene.sessionName,
      waitFor: 'nothing',
    });
    await until(
      async () => itemOf(await scene.run('chordStatus', [{}], { sessionName: scene.sessionName })).busy,
    );
    expect(codeOf(await scene.control('setRole', { role: 'planner' }))).toBe('session_busy');
    expect(
      itemOf(await scene.control('setRole', { role: 'planner', options: { force: true } })),
    ).toMatchObject({ session: { role: 'planner' } });
  });
});

test('without roles a clear error says so', async () => {
  const scene = await Scene.create('d1', steps, { files });
  for (const operation of ['listRoles', 'setRole']) {
    const execution = await scene.control(operation, { role: 'planner' });
    expect(codeOf(execution)).toBe('not_supported');
    expect(execution.error?.message).toBe('This version of Chord has no roles to choose from.');
  }
});

describe('a shell command, where the credential allows it', () => {
  const scene = useScene('d2', steps, { files, credential: { allowLocalShell: true } });

  test('gives its output, and says when it failed', async () => {
    expect(itemOf(await scene.control('runShell', { shellCommand: 'echo hello' }))).toMatchObject({
      outcome: 'done',
      output: 'hello\n',
      failed: false,
      command: 'echo hello',
    });
    expect(itemOf(await scene.control('runShell', { shellCommand: 'exit 3' }))).toMatchObject({
      failed: true,
      error: 'exit status 3',
    });
  });

  test('an empty one is refused', async () => {
    expect(codeOf(await scene.control('runShell', { shellCommand: '={{ " " }}' }))).toBe('invalid_settings');
  });

  test("n8n's Retry On Fail runs nothing twice", async () => {
    const run = async (executionId: string) =>
      await scene.engine.execute(
        {
          nodes: [
            chordNode('Node', 'chordControl', {
              operation: 'runShell',
              sessionName: scene.sessionName,
              shellCommand: 'echo once',
            }),
          ],
        },
        'Node',
        { executionId },
      );
    await run('again');
    await run('again');
    expect(
      scene.project.recorded('local_shell').filter(({ command }) => command === 'echo once'),
    ).toHaveLength(1);
  });
});
