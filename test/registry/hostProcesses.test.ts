import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runs } from '../process/support/processes';
import { bundledProgram } from '../support/bundledProgram';
import { Stage } from '../support/Stage';
import { temporaryFolder } from '../support/temporaryFolder';
import { until } from '../support/until';
import { HostProcess } from './support/HostProcess';
import { openRequest, settingsFor } from './support/settings';

jest.setTimeout(60_000);

let program: string;

beforeAll(() => {
  program = bundledProgram(join(__dirname, 'hosts', 'opens.ts'));
});

async function setUp(more: { listens?: boolean } = {}) {
  const stage = await Stage.open();
  const folder = temporaryFolder();
  const project = temporaryFolder();
  const { command, environment } = stage;
  const request = openRequest(settingsFor(project, { command, environment }));
  const host = () =>
    HostProcess.start(program, [JSON.stringify({ folder, request, listens: false, ...more })]);
  const locks = () => (existsSync(join(folder, 'locks')) ? readdirSync(join(folder, 'locks')) : []);
  return { stage, host, locks };
}

const gone = (pid: number) => until(() => !runs(pid), { limitMs: 10_000, what: `process ${pid} is gone` });

test('B09: of two n8n processes one owns the session, the other is told which', async () => {
  const { stage, host } = await setUp();
  const [one, other] = await Promise.all([host(), host()]);
  const answers = await Promise.all([one.ask('open'), other.ask('open')]);
  const owner = answers[0] === 'open' ? one : other;
  expect(answers.toSorted()).toEqual(['open', expect.stringContaining(`owned by pid ${owner.pid}`)]);
  expect(stage.chords).toHaveLength(1);

  const second = owner === one ? other : one;
  expect(await owner.ask('close')).toBe('closed');
  expect(await second.ask('open')).toBe('open');
  expect(stage.chords).toHaveLength(2);
});

test('B09, B44: after a SIGKILL of the owner its Chord ends by itself, and the other one takes over', async () => {
  const { stage, host, locks } = await setUp();
  const [owner, other] = await Promise.all([host(), host()]);
  expect(await owner.ask('open')).toBe('open');
  await owner.kill('SIGKILL');
  await gone(stage.chords[0]!.pid);
  expect(locks()).toHaveLength(1);
  expect(await other.ask('open')).toBe('open');
  expect(locks()).toHaveLength(1);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: the host ends by it, without a child or a lock',
  async (signal) => {
    const { stage, host, locks } = await setUp();
    const owner = await host();
    expect(await owner.ask('open')).toBe('open');
    expect(await owner.kill(signal)).toBe(signal);
    expect(runs(stage.chords[0]!.pid)).toBe(false);
    expect(locks()).toEqual([]);
  },
);

test("SIGTERM: n8n's own handler runs, and ends n8n as it likes", async () => {
  const { stage, host, locks } = await setUp({ listens: true });
  const owner = await host();
  expect(await owner.ask('open')).toBe('open');
  const said = owner.line();
  expect(await owner.kill('SIGTERM')).toBe(0);
  expect(await said).toBe('handled by the host');
  expect(runs(stage.chords[0]!.pid)).toBe(false);
  expect(locks()).toEqual([]);
});

test('process.exit without a word: the child is killed and the lock given back', async () => {
  const { stage, host, locks } = await setUp();
  const owner = await host();
  expect(await owner.ask('open')).toBe('open');
  void owner.ask('exit');
  await gone(owner.pid);
  await gone(stage.chords[0]!.pid);
  expect(locks()).toEqual([]);
});
