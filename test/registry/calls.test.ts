import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Calls } from '../../chord/registry/calls/Calls';
import type { ConfirmDecision, SendRequest } from '../../chord/session';
import { failure, settle } from '../session/support/promises';
import { FakeClock } from '../support/FakeClock';
import { temporaryFolder } from '../support/temporaryFolder';
import { until } from '../support/until';
import { message, Rig, status } from './support/Rig';
import { FakeN8n } from './waits/support/FakeN8n';

const callId = 'e1/node/0/0';

/** The files of all calls that are kept. */
const files = (folder: string): string[] => {
  const calls = join(folder, 'calls');
  if (!existsSync(calls)) return [];
  const names = readdirSync(calls, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.json')).map((name) => join(calls, name));
};

/** n8n is started anew: the former process is gone without having settled anything. */
const restarted = (rig: Rig): void => {
  rmSync(join(rig.folder, 'locks'), { recursive: true });
  rig.registry = rig.newRegistry();
};

/** The file of the only call. */
const noted = (rig: Rig): string => {
  const [file] = files(rig.folder);
  return file === undefined ? '' : readFileSync(file, 'utf8');
};

const allow: ConfirmDecision = {
  requestId: 'r1',
  fromItem: true,
  action: 'allow',
  denyReason: '',
  editedArguments: '',
  editSummary: '',
  rule: null,
  waitFor: 'nothing',
  timeoutMs: 0,
  cancelOnTimeout: false,
  cancelOnStop: false,
  decisions: 'leave',
  callId,
};

const named = (text: string, more: Partial<SendRequest> = {}) => message(text, { callId, ...more });

test('a call that has ended keeps its outcome when it is found later that it was not written after all', async () => {
  const calls = new Calls(temporaryFolder(), new FakeClock());
  const outcome = { kind: 'error', code: 'timeout', message: 'Late.', description: '' } as const;
  await calls.expected(callId, 'k');
  await calls.writing(callId, 'k');
  await calls.ended(callId, outcome);
  calls.withdrawn(callId, 'k', true);
  expect(await calls.outcome(callId)).toEqual(outcome);
  expect(calls.read(callId)).toMatchObject({ written: false });
});

describe('the same execution, node and item after a restart', () => {
  test('gets what the message came to, and nothing is sent again', async () => {
    const rig = new Rig();
    const first = (await rig.open()).send(named('Go.'));
    await until(() => rig.chord.messages.length === 1);
    rig.chord.turn('Done.');
    await first;
    await until(() => noted(rig).includes('Done.'));
    restarted(rig);
    expect(await (await rig.open()).send(named('Go.'))).toMatchObject({
      kind: 'finished',
      result: { text: 'Done.' },
    });
    expect(rig.starts.flatMap(({ chord }) => chord.messages)).toEqual(['Go.']);
  });

  test('is told that the outcome is unknown where nothing had come of it yet', async () => {
    const rig = new Rig();
    const first = (await rig.open()).send(named('Go.'));
    first.catch(() => undefined);
    await until(() => rig.chord.messages.length === 1);
    restarted(rig);
    expect(await failure((await rig.open()).send(named('Go.')))).toMatchObject({
      code: 'outcome_unknown',
      facts: { details: { written: true } },
    });
    expect(rig.starts.flatMap(({ chord }) => chord.messages)).toEqual(['Go.']);
  });

  test('sends what had only waited for its turn', async () => {
    const rig = new Rig();
    const session = await rig.open({ process: 'now' });
    rig.chord.work();
    session.send(named('Go.')).catch(() => undefined);
    await settle();
    expect((await status(session)).queued_sends).toBe(1);
    restarted(rig);
    const again = (await rig.open()).send(named('Go.'));
    await until(() => rig.chord.messages.length === 1);
    rig.chord.turn('Done.');
    expect(await again).toMatchObject({ kind: 'finished' });
  });

  test('sends what could not be written', async () => {
    const rig = new Rig();
    const session = await rig.open({ process: 'now' });
    const write = jest.spyOn(rig.chord.transport, 'write').mockRejectedValue(new Error('EPIPE'));
    await expect(session.send(named('Go.'))).rejects.toThrow('EPIPE');
    await until(() => files(rig.folder).length === 0);
    write.mockRestore();
  });

  test('does not answer a request again', async () => {
    const rig = new Rig();
    const session = await rig.open({ process: 'now' });
    rig.chord.work();
    rig.chord.confirmRequest('r1');
    await session.confirm(allow);
    await until(() => noted(rig).includes('"action":"allow"'));
    restarted(rig);
    const again = await (await rig.open({ process: 'now' })).confirm(allow);
    expect(again.decision).toMatchObject({ request_id: 'r1', action: 'allow' });
    expect(rig.starts.flatMap(({ chord }) => chord.of('confirm'))).toHaveLength(1);
  });

  test('is another call in another session', async () => {
    const rig = new Rig();
    const calls = new Calls(rig.folder, rig.clock);
    await calls.writing(callId, 'another session');
    const sent = (await rig.open()).send(named('Go.'));
    await until(() => rig.chord.messages.length === 1);
    rig.chord.turn('Done.');
    expect(await sent).toMatchObject({ kind: 'finished' });
  });
});

test('a call counts as written before its line is written', async () => {
  const rig = new Rig();
  const session = await rig.open({ process: 'now' });
  const found: unknown[] = [];
  const { transport } = rig.chord;
  const write = transport.write.bind(transport);
  transport.write = (command) => {
    if (command.type === 'send') found.push(JSON.parse(noted(rig)));
    return write(command);
  };
  session.send(named('Go.')).catch(() => undefined);
  await until(() => rig.chord.messages.length === 1);
  expect(found).toMatchObject([{ callId, sessionKey: session.key, written: true }]);
  expect(statSync(files(rig.folder)[0] ?? '').mode & 0o777).toBe(0o600);
});

describe('a suspended run whose message waits behind another', () => {
  const parked = async () => {
    const n8n = new FakeN8n();
    const rig = new Rig();
    rig.registry = rig.newRegistry({ n8n });
    const session = await rig.open({ process: 'now' });
    rig.chord.work();
    await rig.registry.waits.park({
      open: rig.request({ holder: 'Chord Send in workflow Tasks, execution e1' }),
      call: { method: 'send', request: named('B.') },
      executionId: 'e1',
      resumeUrl: 'http://n8n.example/webhook-waiting/e1/node',
      workflow: 'Tasks',
      node: 'Chord Send',
    });
    await settle();
    await rig.clock.advance(3_600_000);
    expect([rig.chord.messages, n8n.asked]).toEqual([[], 0]);
    return { rig, n8n, session };
  };

  test('it is sent when its turn comes while the run waits', async () => {
    const { rig } = await parked();
    rig.chord.idle();
    await until(() => rig.chord.messages.length === 1);
  });

  test('it is never sent when the run was stopped, and the next one is', async () => {
    const { rig, n8n, session } = await parked();
    n8n.says = ['over'];
    n8n.answers = ['gone', 'gone'];
    session.send(message('C.')).catch(() => undefined);
    rig.chord.idle();
    await until(() => rig.chord.messages.length > 0);
    expect(rig.chord.messages).toEqual(['C.']);
    await until(() => n8n.tokens.length === 1);
    await rig.clock.advance(1000);
    expect((await status(session)).waits).toEqual([]);
  });

  test('it is judged anew when something began while n8n was asked', async () => {
    const { rig, n8n, session } = await parked();
    n8n.onAsk = () => rig.chord.work();
    rig.chord.idle();
    await until(() => n8n.asked === 1);
    await until(async () => (await status(session)).queued_sends === 1);
    await until(() => noted(rig).includes('"written":false'));
    expect(rig.chord.messages).toEqual([]);
    n8n.onAsk = () => undefined;
    rig.chord.idle();
    await until(() => rig.chord.messages.length === 1);
    expect(n8n.asked).toBe(2);
  });

  test('a run that n8n does not let go on for ten minutes stands in Status, with the reason', async () => {
    const { rig, n8n, session } = await parked();
    n8n.answers = Array<'later'>(1000).fill('later');
    n8n.reason = 'http://127.0.0.1:5678: connect ECONNREFUSED 127.0.0.1:5678';
    rig.chord.idle();
    await until(() => rig.chord.messages.length === 1);
    rig.chord.turn('Done.');
    await until(() => n8n.tokens.length === 1);
    expect((await status(session)).diagnostics).toMatchObject({ resume_problems: [] });
    await rig.clock.advance(600_000);
    const { waits, diagnostics } = await status(session);
    expect(waits[0]?.problem).toContain('ECONNREFUSED');
    expect(diagnostics?.resume_problems).toEqual([expect.stringContaining('n8n Address')]);
  });

  test('it is not sent when a person ends the wait', async () => {
    const { rig, n8n, session } = await parked();
    expect((await status(session)).waits).toMatchObject([{ execution_id: 'e1', last_try: null }]);
    expect(await rig.registry.waits.cancel('e1', session.key, 'Chord Control')).toBe(true);
    await until(() => n8n.tokens.length === 1);
    rig.chord.idle();
    await settle();
    expect(rig.chord.messages).toEqual([]);
    const error = await failure(rig.registry.waits.take(callId));
    expect(error).toMatchObject({ code: 'interrupted', facts: { details: { written: false } } });
  });
});

describe('what is kept of calls', () => {
  test('goes when their node has run to its end, of no other run', async () => {
    const folder = temporaryFolder();
    const calls = new Calls(folder, new FakeClock());
    for (const id of ['e1/node/0/0', 'e1/node/0/1', 'e1/node/1/0']) await calls.writing(id, 'k');
    await calls.runEnded('e1/node/0');
    expect(files(folder)).toHaveLength(1);
    expect(calls.read('e1/node/1/0')).toMatchObject({ written: true });
  });

  test('an outcome that comes after that is not kept', async () => {
    const folder = temporaryFolder();
    const calls = new Calls(folder, new FakeClock());
    await calls.writing(callId, 'k');
    await calls.runEnded('e1/node/0');
    await calls.ended(callId, { kind: 'value', value: 1 });
    expect([files(folder), await calls.outcome(callId)]).toEqual([[], undefined]);
  });

  test('goes at a start after 30 days without anything new', async () => {
    const folder = temporaryFolder();
    const clock = new FakeClock();
    const calls = new Calls(folder, clock);
    const days = (count: number) => new Date(clock.now() - count * 24 * 3_600_000);
    for (const [id, age] of [
      ['e1/node/0/0', 31],
      ['e2/node/0/0', 29],
    ] as const) {
      await calls.writing(id, 'k');
      for (const file of files(folder).filter((name) => readFileSync(name, 'utf8').includes(id))) {
        utimesSync(join(file, '..'), days(age), days(age));
      }
    }
    await calls.forgetOld();
    expect([calls.read('e1/node/0/0'), calls.read('e2/node/0/0')?.written]).toEqual([undefined, true]);
  });
});
