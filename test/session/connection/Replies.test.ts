import { ChordError } from '../../../chord/errors';
import { Replies, replyTimeoutMs, shellTimeoutMs } from '../../../chord/session/connection/Replies';
import { FakeClock } from '../../support/FakeClock';
import { failure, isWaiting } from '../support/promises';

const status = (busy = false) => ({ type: 'status_response', payload: { busy } });
const error = (payload: object) => ({ type: 'error', payload: { ...payload } });

let clock: FakeClock;
let replies: Replies;

beforeEach(() => {
  clock = new FakeClock();
  replies = new Replies(clock);
});

test('replies are matched first-in first-out, by kind', async () => {
  const first = replies.expect('status', 'status_response').done;
  const models = replies.expect('models', 'models_response').done;
  const second = replies.expect('status', 'status_response').done;
  replies.accept({ type: 'models_response', payload: { ok: true } });
  replies.accept(status(true));
  replies.accept(status(false));
  await expect(models).resolves.toMatchObject({ payload: { ok: true } });
  await expect(first).resolves.toMatchObject({ payload: { busy: true } });
  await expect(second).resolves.toMatchObject({ payload: { busy: false } });
});

test('a command error is given to the command that caused it', async () => {
  const handoff = replies.expect('handoff', null).done;
  const after = replies.expect('status', 'status_response').done;
  expect(replies.accept(error({ message: 'no matching pending handoff' }))).toBe(true);
  replies.accept(status());
  const refused = await failure(handoff);
  expect(refused.code).toBe('command_failed');
  expect(refused.message).toContain('no matching pending handoff');
  await expect(after).resolves.toBeDefined();
});

test('a silent command is carried out once a later reply is there, and its place is free', async () => {
  const confirm = replies.expect('confirm', null).done;
  replies.expect('status', 'status_response');
  replies.accept(status());
  await expect(confirm).resolves.toBeNull();
  expect(replies.accept(error({ message: 'about nobody' }))).toBe(false);
});

test('a runtime error belongs to the turn, not to a command', async () => {
  const { done } = replies.expect('status', 'status_response');
  expect(replies.accept(error({ message: 'API error', agent_id: '' }))).toBe(false);
  expect(await isWaiting(done)).toBe(true);
});

test('a reply that nobody asked for is nobody’s', () => {
  expect(replies.accept(status())).toBe(false);
  expect(replies.accept({ type: 'idle', payload: {} })).toBe(false);
});

test('a timeout keeps its place, so that a late reply goes to nobody else', async () => {
  const late = replies.expect('status', 'status_response').done;
  await clock.advance(replyTimeoutMs);
  expect((await failure(late)).code).toBe('reply_timeout');
  const next = replies.expect('status', 'status_response').done;
  replies.accept(status(true));
  expect(await isWaiting(next)).toBe(true);
  replies.accept(status(false));
  await expect(next).resolves.toMatchObject({ payload: { busy: false } });
});

test('a local shell holds the others: their time does not count meanwhile', async () => {
  const shell = replies.expect('local_shell', 'local_shell_result').done;
  const behind = replies.expect('status', 'status_response').done;
  await clock.advance(120_000);
  expect(await isWaiting(behind)).toBe(true);
  replies.accept({ type: 'local_shell_result', payload: {} });
  await shell;
  await clock.advance(replyTimeoutMs);
  expect((await failure(behind)).code).toBe('reply_timeout');
});

test('a local shell has a limit of its own', async () => {
  const { done } = replies.expect('local_shell', 'local_shell_result');
  await clock.advance(shellTimeoutMs);
  expect((await failure(done)).code).toBe('reply_timeout');
});

test('a command that was not written gives its place up', async () => {
  const first = replies.expect('status', 'status_response');
  const second = replies.expect('status', 'status_response');
  first.withdraw();
  replies.accept(status());
  await expect(second.done).resolves.toBeDefined();
  expect(clock.pending).toBe(0);
});

test('B46: the end of the process settles everybody and leaves no timer', async () => {
  const calls = [replies.expect('status', 'status_response').done, replies.expect('confirm', null).done];
  replies.rejectAll(new ChordError('process_exited', 'gone'));
  for (const call of calls) expect((await failure(call)).code).toBe('process_exited');
  expect(clock.pending).toBe(0);
});

test('tells when the next reply was asked for', () => {
  replies.expect('status', 'status_response', 7);
  replies.expect('status', 'status_response', 9);
  expect(replies.askedAt('status_response')).toBe(7);
  replies.accept(status());
  expect(replies.askedAt('status_response')).toBe(9);
  replies.accept(status());
  expect(replies.askedAt('status_response')).toBe(0);
});
