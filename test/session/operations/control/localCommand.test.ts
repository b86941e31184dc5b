import type { LocalCommandRequest } from '../../../../chord/session/contract';
import { Harness } from '../../support/Harness';
import { failure, settle } from '../../support/promises';

const compact: LocalCommandRequest = {
  command: 'compact',
  whenRequestOpen: 'fail',
  heldRequests: [],
  callId: '',
};

const status = (harness: Harness, word: string, reason = '') =>
  harness.chord.push('compaction_status', { status: word, trigger: 'manual', reason, plan_id: 'p' });

test('a conversation is made shorter by a message of its own, in its turn', async () => {
  const harness = await Harness.start('d2');
  harness.chord.work();
  const call = harness.session.command(compact);
  await settle();
  expect(harness.chord.messages).toEqual([]);
  harness.chord.idle();
  await settle();
  expect(harness.chord.messages).toEqual(['/compact']);
  harness.chord.push('info', { agent_id: '', message: 'Compacted.' });
  await settle();
  expect(await call).toEqual({ text: 'Compacted.' });
});

test('with an open request it is skipped where that is wanted, and nothing is written', async () => {
  const harness = await Harness.start('d2');
  harness.chord.confirmRequest('r1');
  const result = await harness.session.command({ ...compact, whenRequestOpen: 'skip' });
  expect(result.skipped).toContain('confirm r1');
  expect(harness.chord.written).toEqual([]);
});

test('one that fails is an error that says why', async () => {
  const harness = await Harness.start('d2');
  const call = failure(harness.session.command(compact));
  await settle();
  status(harness, 'started');
  status(harness, 'failed', 'too short');
  harness.chord.push('info', { agent_id: '', message: 'Compacting …' });
  await settle();
  expect(await call).toMatchObject({ code: 'command_failed', message: expect.stringContaining('too short') });
});

test('loop mode is ended at once, also in a running turn', async () => {
  const harness = await Harness.start('d2');
  harness.chord.work();
  const call = harness.session.command({ ...compact, command: 'loop_off' });
  await settle();
  expect(harness.chord.messages).toEqual(['/loop off']);
  harness.chord.push('info', { agent_id: '', message: 'Loop mode is off.' });
  expect(await call).toEqual({ text: 'Loop mode is off.' });
});

test('where there are receipts, the one of the command ends it', async () => {
  const harness = await Harness.start('d2-receipts');
  harness.chord.nextReceipt = 'none';
  const call = harness.session.command({ ...compact, command: 'loop_off' });
  await settle();
  const [sent] = harness.chord.of('send');
  harness.chord.push('info', { agent_id: '', message: 'Loop mode is off.' });
  harness.chord.push('input_result', { request_id: sent!.request_id, status: 'handled' });
  expect(await call).toEqual({ text: 'Loop mode is off.' });
});
