import type { ChordSession, ConfirmDecision, HandoffDecision } from '../../chord/session';
import { ChordError } from '../../chord/errors';
import { failure, settle } from '../session/support/promises';
import { Gate, message, Rig } from './support/Rig';

/** While Chord is being started again nothing tells yet whether a request is still open. */

const { message: _, ...waiting } = message('', { waitFor: 'nothing', callId: 'e1/node/0/0' });

const confirming = (requestId: string): ConfirmDecision => ({
  ...waiting,
  requestId,
  fromItem: true,
  action: 'allow',
  denyReason: '',
  editedArguments: '',
  editSummary: '',
  rule: null,
});

const handingOff = (requestId: string): HandoffDecision => ({
  ...waiting,
  requestId,
  fromItem: true,
  action: 'cancel',
  agent: '',
  pool: '',
  denyReason: '',
});

const answers: [string, (session: ChordSession) => Promise<unknown>][] = [
  ['confirm', (session) => session.confirm(confirming('r1'))],
  ['handoff', (session) => session.handoff(handingOff('r1'))],
];

const pending = {
  confirm: { pendingConfirm: { request_id: 'r1', tool_name: 'shell', args_json: '{"command":"ls"}' } },
  handoff: { pendingHandoff: { request_id: 'r1', plan_path: 'p', plan_text: 'x', agents: [] } },
};

/** A session with a trigger whose Chord crashed, and a responder's lease of it. */
async function crashed(kind: string) {
  const rig = new Rig();
  await rig.open();
  rig.chord.push(
    `${kind}_request`,
    kind === 'confirm' ? pending.confirm.pendingConfirm : pending.handoff.pendingHandoff,
  );
  const responder = await rig.open({ process: 'never' });
  rig.crash();
  return { rig, responder };
}

describe.each(answers)('%s', (kind, answer) => {
  test('waits for the restart and its first status, which still shows the request', async () => {
    const { rig, responder } = await crashed(kind);
    const held = new Gate();
    rig.next.push(held.opened);
    const answered = answer(responder);
    await rig.clock.advance(1000);
    await rig.hasStarted(2);
    rig.chord.busy = true;
    Object.assign(rig.chord, pending[kind as keyof typeof pending]);
    held.open();
    await answered;
    expect(rig.chord.written.map(({ type }) => type)).toEqual([kind]);
  });

  test('is refused after the restart, when the request is gone', async () => {
    const { rig, responder } = await crashed(kind);
    const answered = failure(answer(responder));
    await rig.clock.advance(1000);
    await rig.hasStarted(2);
    expect(await answered).toMatchObject({ code: 'no_longer_pending' });
    expect(rig.chord.written).toEqual([]);
  });

  test('is refused when the restart fails, and starts nothing by itself', async () => {
    const { rig, responder } = await crashed(kind);
    rig.next.push(new ChordError('start_timeout', 'Too slow.'));
    const answered = failure(answer(responder));
    await rig.clock.advance(1000);
    expect(await answered).toMatchObject({ code: 'no_longer_pending' });
    expect(rig.starts).toHaveLength(2);
  });

  test('is refused at once where no restart goes on', async () => {
    const { rig, responder } = await crashed(kind);
    await rig.registry.stop(responder.key, { force: true });
    expect(await failure(answer(responder))).toMatchObject({ code: 'no_longer_pending' });
    expect(rig.starts).toHaveLength(1);
  });

  test('ends when the execution is stopped meanwhile', async () => {
    const { rig, responder } = await crashed(kind);
    const answered = failure(answer(responder));
    await settle();
    expect(await rig.registry.cancelCall(waiting.callId)).toBe(true);
    expect(await answered).toMatchObject({ code: 'interrupted' });
  });
});

test('which requests are open is told when the restart is over and Chord has shown it', async () => {
  const { rig, responder } = await crashed('confirm');
  const held = new Gate();
  rig.next.push(held.opened);
  const open = responder.requests({ openOfKind: 'confirm' });
  await rig.clock.advance(1000);
  await rig.hasStarted(2);
  Object.assign(rig.chord, { busy: true, ...pending.confirm });
  held.open();
  expect(await open).toMatchObject([{ request: { id: 'r1' }, state: 'open' }]);
});

test('of a request that is named all is told at once', async () => {
  const { responder } = await crashed('confirm');
  expect(await responder.requests({ ids: ['r1'] })).toMatchObject([{ state: 'lost' }]);
});
