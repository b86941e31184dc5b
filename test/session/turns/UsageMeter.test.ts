import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUsage, UsageMeter } from '../../../chord/session/turns/UsageMeter';
import { until } from '../../support/until';
import { temporaryFolder } from '../../support/temporaryFolder';
import { finished, Harness } from '../support/Harness';
import { settle } from '../support/promises';

function write(folder: string, sessionId: string, input: number, cost: number): void {
  const session = join(folder, 'project-1', sessionId);
  mkdirSync(session, { recursive: true });
  const total = { input_tokens: input, output_tokens: input / 10, total_cost: cost };
  writeFileSync(join(session, 'usage-summary.json'), JSON.stringify({ usage_total: total }));
}

test('the difference since the turn began', async () => {
  const folder = temporaryFolder();
  const meter = new UsageMeter(folder);
  write(folder, 'S1', 100, 0.1);
  await meter.read('S1');
  const base = meter.base('S1');
  write(folder, 'S1', 300, 0.4);
  expect(await meter.since(base, 'S1')).toEqual({ input_tokens: 200, output_tokens: 20, cost_usd: 0.3 });
  // Asked twice (the event and whoever waits), it says the same.
  expect(await meter.since(base, 'S1')).toEqual({ input_tokens: 200, output_tokens: 20, cost_usd: 0.3 });
});

test('a turn that a handoff carries into a new session counts both', async () => {
  const folder = temporaryFolder();
  const meter = new UsageMeter(folder);
  write(folder, 'S1', 100, 0.1);
  await meter.read('S1');
  const base = meter.base('S1');
  write(folder, 'S1', 150, 0.2);
  write(folder, 'S2', 40, 0.05);
  const used = { input_tokens: 90, output_tokens: 9, cost_usd: 0.15 };
  expect(await meter.since(base, 'S2')).toEqual(used);
  expect(await meter.since(base, 'S2')).toEqual(used);
});

test.each([
  ['no such session', 'S9'],
  ['no id yet', ''],
])('%s: null', async (_, sessionId) => {
  const folder = temporaryFolder();
  write(folder, 'S1', 1, 1);
  expect(await readUsage(folder, sessionId)).toBeNull();
});

test('a file that is no usage, and a folder that is not there: null', async () => {
  const folder = temporaryFolder();
  write(folder, 'S1', 1, 1);
  writeFileSync(join(folder, 'project-1', 'S1', 'usage-summary.json'), '{"usage_total": 3');
  expect(await readUsage(folder, 'S1')).toBeNull();
  expect(await readUsage(join(folder, 'nowhere'), 'S1')).toBeNull();
  expect(await readUsage('', 'S1')).toBeNull();
});

test('a result says what its turn cost; what the session cost before does not count', async () => {
  const folder = temporaryFolder();
  write(folder, 'S1', 1000, 1);
  const harness = await Harness.start('d1', { sessionsDirectory: folder });
  const call = harness.send('x');
  await settle();
  harness.chord.work();
  write(folder, 'S1', 1200, 1.5);
  harness.chord.say('y');
  harness.chord.idle();
  expect(finished(await call).usage).toEqual({ input_tokens: 200, output_tokens: 20, cost_usd: 0.5 });
});

test('after an accepted handoff nothing tells the session on D1, so its cost is unknown', async () => {
  const folder = temporaryFolder();
  write(folder, 'S1', 1000, 1);
  const harness = await Harness.start('d1', { sessionsDirectory: folder });
  harness.chord.work();
  harness.chord.handoffRequest('h1');
  harness.chord.idle();
  const decided = harness.handoff('h1', { waitFor: 'turn' });
  await settle();
  harness.chord.turn('Built.');
  expect(finished((await decided).after).usage).toBeNull();
  const call = harness.send('/new', { allowCommands: true });
  await settle();
  write(folder, 'S2', 10, 0.1);
  harness.chord.push('toast', { agent_id: '', level: 'info', message: 'Started new session S2' });
  harness.chord.idle('');
  await call;
  const next = harness.send('x');
  await settle();
  harness.chord.turn('y');
  expect(finished(await next).usage).toMatchObject({ input_tokens: 10 });
});

test('the session that a handoff opened on D1 is found among those made since, and its cost counts', async () => {
  const folder = temporaryFolder();
  write(folder, 'S1', 1000, 1);
  const harness = await Harness.start('d1', { sessionsDirectory: folder });
  harness.saved.push('S1', 'S0');
  harness.chord.work();
  harness.chord.handoffRequest('h1');
  harness.chord.idle();
  const decided = harness.handoff('h1', { waitFor: 'turn' });
  await settle();
  harness.saved.push('S2');
  write(folder, 'S2', 40, 0.25);
  harness.chord.turn('Built.');
  expect(finished((await decided).after)).toMatchObject({
    session: { id: 'S2' },
    usage: { input_tokens: 40, cost_usd: 0.25 },
  });
  expect(harness.sessionChanges.at(-1)).toEqual(['S2', 'used']);

  const call = harness.send('x');
  await settle();
  write(folder, 'S2', 70, 0.5);
  harness.chord.turn('y');
  expect(finished(await call)).toMatchObject({ session: { id: 'S2' }, usage: { input_tokens: 30 } });
});

test('what a resumed session cost before does not count', async () => {
  const folder = temporaryFolder();
  write(folder, 'S1', 1, 0);
  write(folder, 'S2', 5000, 5);
  const harness = await Harness.start('d1', { sessionsDirectory: folder });
  const call = harness.send('/resume S2', { allowCommands: true });
  await settle();
  harness.chord.push('toast', {
    agent_id: '',
    level: 'info',
    message: 'Resumed session from S2: 8 messages restored',
  });
  harness.chord.idle('');
  await call;
  const next = harness.send('x');
  await settle();
  harness.chord.work();
  await until(async () => (await readUsage(folder, 'S2'))?.input_tokens === 5000);
  write(folder, 'S2', 5100, 6);
  harness.chord.say('y');
  harness.chord.idle();
  expect(finished(await next).usage).toEqual({ input_tokens: 100, output_tokens: 10, cost_usd: 1 });
});
