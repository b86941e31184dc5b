import type { IDataObject } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import { chordNode, connect, itemsNode, stubNode } from '../../nodes/support/flow';
import { codeOf } from '../../nodes/support/Scene';
import { finished, useLab } from './LabChord';

jest.setTimeout(90_000);

const start = useLab();

describe('Chord Confirm on the real Chord', () => {
  test('allowed by the form: the command runs, and the turn goes on', async () => {
    const chord = await start('confirm-allow');
    const asked = await chord.ask('Record a checkpoint commit.');
    expect(asked).toMatchObject({
      event: 'confirm_request',
      request: { tool: 'shell', arguments: { command: 'git commit --allow-empty -m checkpoint' } },
    });
    const allowed = await chord.run('chordConfirm', asked, {
      stepResult: { data: { Decision: 'Allow' } },
      waitFor: 'turn',
    });
    expect(finished(allowed)).toMatchObject({
      outcome: 'completed',
      text: 'The checkpoint is recorded.',
      decision: { kind: 'confirm', action: 'allow', request_id: asked.request.id },
    });
    expect(chord.commits()[0]).toBe('checkpoint');
    const twice = await chord.run('chordConfirm', asked, { decision: 'deny' });
    expect(codeOf(twice)).toBe('already_answered');
  });

  test('without waiting it gives the decision at once, and the turn goes on', async () => {
    const chord = await start('confirm-allow');
    const asked = await chord.ask('Record a checkpoint commit.');
    const allowed = finished(await chord.run('chordConfirm', asked, { decision: 'allow' }));
    expect(allowed).toMatchObject({ outcome: 'sent', decision: { action: 'allow' }, request: asked.request });
    expect(await chord.open()).toEqual([]);
  });

  test('denied with a reason that the agent is told: the command does not run', async () => {
    const chord = await start('confirm-deny');
    const asked = await chord.ask('Record a checkpoint commit.');
    const denied = await chord.run('chordConfirm', asked, {
      stepResult: { data: { Decision: 'Deny', Reason: 'not on a Friday' } },
      waitFor: 'turn',
    });
    // The model says this only to a rejection that carries the reason.
    expect(finished(denied)).toMatchObject({
      outcome: 'completed',
      text: 'Understood, nothing was recorded.',
      decision: { action: 'deny' },
    });
    expect(chord.commits()).toEqual(['start the tea timer']);
  });

  test('edited arguments are what is carried out', async () => {
    const chord = await start('confirm-edit-write');
    const write = await chord.ask('Put a greeting in a file.');
    const broken = await chord.run('chordConfirm', write, {
      decision: 'allow',
      options: { editedArguments: '["out/greeting.txt"]' },
    });
    expect(codeOf(broken)).toBe('invalid_answer');
    expect(await chord.open()).toEqual([write.request.id]);
    const { items, error } = await chord.run('chordConfirm', write, {
      decision: 'allow',
      options: {
        editedArguments: '{"path":"out/greeting.txt","content":"good evening\\n"}',
        editSummary: 'friendlier wording',
      },
      waitFor: 'turn',
    });
    expect(error).toBeUndefined();
    expect(chord.file('out/greeting.txt')).toBe('good evening\n');
    const edit = items('Node', 1)[0]!.json;
    expect(edit).toMatchObject({ request: { tool: 'edit' }, decision: { request_id: write.request.id } });
    const done = await chord.run('chordConfirm', edit, { decision: 'allow', waitFor: 'turn' });
    expect(finished(done)).toMatchObject({ text: 'Both files are in order.' });
    expect(chord.file('notes.txt')).toBe('first line\nline number two\n');
  });

  test('two calls in one message: a workflow that loops back allows the first and denies the second', async () => {
    const chord = await start([
      {
        when: { last_user: 'Tag it twice.', last_tool: null },
        reply: {
          tool_calls: ['one', 'two'].map((tag) => ({ name: 'shell', args: { command: `git tag ${tag}` } })),
        },
      },
      { when: { last_tool: 'one is enough' }, reply: { text: 'One tag is in place.' } },
    ]);
    const answers = [{ Decision: 'Allow' }, { Decision: 'Deny', Reason: 'one is enough' }];
    const { items, error, runsOf } = await chord.execute({
      nodes: [
        itemsNode('Start', [{}]),
        chordNode('Send', 'chordSend', { message: 'Tag it twice.' }),
        stubNode('Ask', 'test.askPerson', { items: JSON.stringify(answers.map((data) => ({ data }))) }),
        chordNode('Confirm', 'chordConfirm', { waitFor: 'turn' }),
      ],
      connections: connect('Start > Send', 'Send:1 > Ask', 'Ask > Confirm', 'Confirm:1 > Ask'),
    });
    expect(error).toBeUndefined();
    expect(runsOf('Confirm')).toHaveLength(2);
    expect(items('Confirm', 0, 1)[0]?.json).toMatchObject({
      text: 'One tag is in place.',
      decision: { action: 'deny' },
    });
    expect([chord.tagged('one'), chord.tagged('two')]).toEqual([true, false]);
  });
});

/** The agent is told to set a tag, asks whether it may, and says that it is done. */
const tags: Step[] = [
  ...['one', 'two', 'three', 'four'].map((tag) => ({
    when: { last_user: `Tag ${tag}.`, last_tool: null },
    reply: { tool_calls: [{ name: 'shell', args: { command: `git tag ${tag}` } }] },
  })),
  { times: 'any', when: { last_tool: { not: null } }, reply: { text: 'Tagged.' } },
] as Step[];

describe('a rule that is added with an approval', () => {
  /** Whether Chord asks about the next tag where the rule holds, or does not. */
  type Reach = 'asks' | 'does not ask';

  test.each<[string, Reach, Reach]>([
    ['session', 'asks', 'asks'],
    ['project', 'does not ask', 'asks'],
    ['user_global', 'does not ask', 'does not ask'],
  ])(
    'for the scope %s spares the next question; a second session %s, another project %s',
    async (ruleScope, second, elsewhere) => {
      const chord = await start(tags);
      const projectDirectory = chord.secondProject();
      const asked = await chord.ask('Tag one.');
      const allowed = await chord.run('chordConfirm', asked, {
        decision: 'allow',
        options: { rulePattern: 'git tag *', ruleScope },
        waitFor: 'turn',
      });
      expect(finished(allowed)).toMatchObject({ text: 'Tagged.' });
      const tag = async (message: string, parameters: IDataObject = {}): Promise<Reach> => {
        const { items, error } = await chord.run('chordSend', {}, { message, ...parameters });
        if (error) throw error;
        return items('Node', 1).length > 0 ? 'asks' : 'does not ask';
      };
      expect(await tag('Tag two.')).toBe('does not ask');
      expect([chord.tagged('one'), chord.tagged('two')]).toEqual([true, true]);
      expect(await tag('Tag three.', { sessionName: 'second' })).toBe(second);
      expect(chord.tagged('three')).toBe(second === 'does not ask');
      expect(await tag('Tag four.', { projectDirectory })).toBe(elsewhere);
      expect(chord.tagged('four', 'second')).toBe(elsewhere === 'does not ask');
    },
  );

  test('needs a pattern and a scope that Chord knows, else nothing is decided', async () => {
    const chord = await start('confirm-rule');
    const asked = await chord.ask('Tag the project twice.');
    const rule = (options: IDataObject) => chord.run('chordConfirm', asked, { decision: 'allow', options });
    expect(codeOf(await rule({ ruleScope: 'session' }))).toBe('invalid_answer');
    expect(codeOf(await rule({ rulePattern: 'git tag *', ruleScope: 'galaxy' }))).toBe('invalid_settings');
    expect(await chord.open()).toEqual([asked.request.id]);
    expect(chord.tagged('lab-1')).toBe(false);
  });
});
