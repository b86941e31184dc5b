import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenRequest } from '../../chord/registry/contract';
import { Registry } from '../../chord/registry/Registry';
import type { ChordSession } from '../../chord/session';
import { runs, zombies } from '../process/support/processes';
import { failure } from '../session/support/promises';
import { Stage } from '../support/Stage';
import { temporaryFolder } from '../support/temporaryFolder';
import { until } from '../support/until';
import { message, status } from './support/Rig';
import { openRequest, settingsFor } from './support/settings';

jest.setTimeout(60_000);

const registries: Registry[] = [];

afterEach(async () => {
  await Promise.all(registries.splice(0).map((registry) => registry.shutdown()));
});

/** A registry with real processes, which the test plays. */
async function setUp() {
  const stage = await Stage.open();
  const folder = temporaryFolder();
  const registry = new Registry({ folder });
  registries.push(registry);
  const project = temporaryFolder();
  const { command, environment } = stage;
  const settings = settingsFor(project, { command, environment });
  const open = (more: Partial<OpenRequest> = {}) => registry.open(openRequest(settings, more));
  const named = (sessionName: string, projectDirectory = '', worktree = '') => ({
    address: { projectDirectory, sessionName, worktree },
  });
  return { stage, folder, registry, project, settings, open, named };
}

type Opened = Awaited<ReturnType<typeof setUp>>;

/** What a Chord Trigger does: hold the session, hear some events, close. */
async function trigger({ open }: Opened, events: string[], more: { id?: string; production?: boolean } = {}) {
  const session = await open({ process: 'on_demand', holder: 'Chord Trigger' });
  const emitted: string[] = [];
  await session.listen(
    {
      id: more.id ?? 'workflow 1, Chord Trigger',
      filter: { events, mainAgentOnly: false, includeSuppressed: false, toolNames: [] },
      emitOpenRequests: true,
      production: more.production ?? true,
    },
    ({ event, request }) => emitted.push(request?.id ?? event),
  );
  const close = () => session.release();
  return { session, emitted, close };
}

/** Brings a process up and keeps it. */
async function running({ open, stage }: Opened) {
  const session = await open();
  return { session, chord: await stage.chord() };
}

const listeners = async (session: ChordSession) => (await status(session)).diagnostics?.listeners;

test('B01: a trigger that was started four times and closed three times emits once', async () => {
  const rig = await setUp();
  const { chord, session } = await running(rig);
  const emitted: string[][] = [];
  for (let round = 0; round < 4; round += 1) {
    const active = await trigger(rig, ['confirm_request']);
    emitted.push(active.emitted);
    if (round < 3) await active.close();
  }
  chord.confirmRequest('r1');
  await until(() => emitted[3]!.length > 0);
  expect(emitted).toEqual([[], [], [], ['r1']]);
  expect(await listeners(session)).toBe(1);
  expect(rig.stage.chords).toHaveLength(1);
});

test('B03: a test of the same node that is over gets nothing any more', async () => {
  const rig = await setUp();
  const { chord } = await running(rig);
  const active = await trigger(rig, ['confirm_request']);
  const manual = await trigger(rig, ['confirm_request'], { id: 'the test', production: false });
  await manual.close();
  chord.confirmRequest('r2');
  await until(() => active.emitted.length > 0);
  expect(active.emitted).toEqual(['r2']);
  expect(manual.emitted).toEqual([]);
});

test('B04: a listener closes at once without an event, and once more without harm', async () => {
  const rig = await setUp();
  const { session } = await running(rig);
  const before = (await status(session)).diagnostics!.holders;
  const manual = await trigger(rig, ['confirm_request'], { production: false });
  await manual.close();
  await manual.close();
  expect(await status(session)).toMatchObject({ diagnostics: { listeners: 0, holders: before } });
});

test('B05: closing after Chord was killed and its project was deleted is no error', async () => {
  const rig = await setUp();
  const active = await trigger(rig, ['confirm_request']);
  const { chord } = await running(rig);
  chord.kill();
  rmSync(rig.project, { recursive: true });
  await active.close();
  await active.close();
  await until(() => !runs(chord.pid));
});

test('B06: a trigger that is started with other events emits these, with the process still warm', async () => {
  const rig = await setUp();
  const { chord } = await running(rig);
  const before = await trigger(rig, ['confirm_request']);
  await before.close();
  const after = await trigger(rig, ['question_request']);
  chord.confirmRequest('r1');
  chord.questionRequest('q1');
  await until(() => after.emitted.length > 0);
  expect(after.emitted).toEqual(['q1']);
  expect(before.emitted).toEqual([]);
  expect(rig.stage.chords).toHaveLength(1);
});

test('B07: a killed Chord is reported once and started again once, and the trigger goes on', async () => {
  const rig = await setUp();
  const active = await trigger(rig, ['confirm_request', 'process_exited', 'process_restarted']);
  const { chord } = await running(rig);
  chord.kill();
  const second = await rig.stage.chord(2);
  await until(() => active.emitted.includes('process_restarted'));
  second.confirmRequest('r1');
  await until(() => active.emitted.includes('r1'));
  expect(active.emitted).toEqual(['process_exited', 'process_restarted', 'r1']);
  expect(rig.stage.chords).toHaveLength(2);
});

test('B10: two triggers with different events share one process, and one may go', async () => {
  const rig = await setUp();
  const { chord } = await running(rig);
  const first = await trigger(rig, ['confirm_request'], { id: 'A' });
  const second = await trigger(rig, ['idle'], { id: 'B' });
  chord.confirmRequest('r1');
  chord.idle();
  await until(() => first.emitted.length > 0 && second.emitted.length > 0);
  expect([first.emitted, second.emitted]).toEqual([['r1'], ['idle']]);

  await second.close();
  chord.confirmRequest('r2');
  await until(() => first.emitted.length === 2);
  expect(first.emitted).toEqual(['r1', 'r2']);
  expect(second.emitted).toEqual(['idle']);
  expect(chord.got).toEqual([]);
});

test('B11: a test takes nothing from the active trigger', async () => {
  const rig = await setUp();
  const { chord } = await running(rig);
  const active = await trigger(rig, ['confirm_request']);
  const manual = await trigger(rig, ['confirm_request'], { id: 'the test', production: false });
  chord.confirmRequest('r1');
  await until(() => manual.emitted.length > 0);
  await manual.close();
  chord.idle();
  chord.confirmRequest('r2');
  await until(() => active.emitted.length === 2);
  expect(active.emitted).toEqual(['r1', 'r2']);
  expect(manual.emitted).toEqual(['r1']);
  expect(rig.stage.chords).toEqual([chord]);
});

test('B44: twenty starts and stops leave no process behind, defunct ones neither', async () => {
  const rig = await setUp();
  for (let round = 0; round < 20; round += 1) {
    const session = await rig.open();
    await rig.registry.stop(session.key, { force: true });
    await session.release();
  }
  expect(rig.stage.chords).toHaveLength(20);
  expect(rig.stage.chords.filter(({ pid }) => runs(pid))).toEqual([]);
  expect(zombies()).toBe(0);
});

test('B45: a start that takes too long ends for all who wait, leaves nothing, and the next one works', async () => {
  const rig = await setUp();
  rig.stage.openings.push('silent');
  const settings = { ...rig.settings, startTimeoutMs: 1_500 };
  const errors = await Promise.all([1, 2, 3].map(() => failure(rig.open({ settings }))));
  expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('start_timeout'));
  expect(rig.stage.chords.filter(({ pid }) => runs(pid))).toEqual([]);
  await rig.open({ attended: 'a test' });
});

test('B51: ten Sends at the same moment on a cold session start one process and write ten lines', async () => {
  const rig = await setUp();
  const texts = Array.from({ length: 10 }, (_, n) => `message ${n}`);
  const sends = texts.map(async (text) => {
    const session = await rig.open({ process: 'on_demand' });
    return session.send(message(text));
  });
  const chord = await rig.stage.chord(1);
  for (let n = 1; n <= 10; n += 1) {
    await until(() => chord.got.length === n);
    chord.turn(`answer ${n}`);
  }
  await Promise.all(sends);
  expect(rig.stage.chords).toHaveLength(1);
  expect(chord.got.map((command) => 'content' in command && command.content).toSorted()).toEqual(texts);
});

test('B51: a stop during the start, then a Send: one live process and no stray', async () => {
  const rig = await setUp();
  rig.stage.openings.push('silent');
  const first = failure(rig.open());
  const doomed = await rig.stage.chord(1);
  const stopped = rig.registry.stop(`c1:default::${rig.project}`, { force: true });
  const session = await rig.open();
  await session.send(message('hello', { waitFor: 'nothing' }));
  await stopped;
  expect((await first).code).toBe('interrupted');
  expect(runs(doomed.pid)).toBe(false);
  expect(rig.stage.chords.filter(({ pid }) => runs(pid))).toHaveLength(1);
});

test('B51: all fail with the first start, and the next one tries again', async () => {
  const rig = await setUp();
  rig.stage.openings.push({ exit: 3, stderr: 'no api key\n' });
  const errors = await Promise.all([1, 2, 3].map(() => failure(rig.open())));
  expect(new Set(errors).size).toBe(1);
  expect(errors[0]).toMatchObject({ code: 'exited_before_ready', facts: { exitCode: 3 } });
  expect(errors[0]!.message).toContain('no api key');
  await rig.open({ attended: 'a test' });
  expect(rig.stage.chords).toHaveLength(2);
});

test('B52: one folder under many spellings is one process; names and worktrees are others', async () => {
  const rig = await setUp();
  const { project, named } = rig;
  mkdirSync(join(project, 'x'));
  const link = join(temporaryFolder(), 'link');
  symlinkSync(project, link);
  for (const spelling of [project, `${project}/`, `${project}/.`, `${project}/x/..`, link]) {
    await rig.open(named('default', spelling));
  }
  expect(rig.stage.chords).toHaveLength(1);
  await rig.open(named('night'));
  await rig.open(named('default', '', 'fix'));
  expect(rig.stage.chords.map(({ args }) => args)).toEqual([
    ['headless', '-d', project],
    ['headless', '-d', project],
    ['headless', '-d', project, '-w', 'fix'],
  ]);
});

test('B53: two sessions that speak at the same time, with the same ids, hear only their own', async () => {
  const rig = await setUp();
  const a = await trigger({ ...rig, open: (more) => rig.open({ ...more, ...rig.named('A') }) }, [
    'confirm_request',
  ]);
  const b = await trigger({ ...rig, open: (more) => rig.open({ ...more, ...rig.named('B') }) }, [
    'confirm_request',
  ]);
  const sentA = a.session.send(message('to A'));
  const chordA = await rig.stage.chord(1);
  await until(() => chordA.got.length === 1);
  const sentB = b.session.send(message('to B'));
  const chordB = await rig.stage.chord(2);
  await until(() => chordB.got.length === 1);

  chordA.confirmRequest('r1');
  await until(() => a.emitted.length > 0);
  expect(b.emitted).toEqual([]);
  chordB.turn('from B');
  expect(await sentB).toMatchObject({ result: { text: 'from B' } });
  expect((await a.session.requests({ ids: ['r1'] }))[0]).toMatchObject({ state: 'open' });
  expect(await b.session.requests({ ids: ['r1'] })).toEqual([]);

  chordB.confirmRequest('r1');
  await until(() => b.emitted.length > 0);
  chordA.turn('from A');
  expect(await sentA).toMatchObject({ result: { text: 'from A' } });
  expect((await b.session.requests({ ids: ['r1'] }))[0]).toMatchObject({ state: 'open' });
});

test('B62: a request that was open when Chord was killed is told as lost, and not answered later', async () => {
  const rig = await setUp();
  const active = await trigger(rig, ['confirm_request', 'request_closed']);
  const { chord, session } = await running(rig);
  chord.confirmRequest('r1');
  await until(() => active.emitted.length === 1);
  chord.kill();
  const second = await rig.stage.chord(2);
  await until(() => active.emitted.length === 2);
  const decision = session.confirm({
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
    callId: '',
  });
  expect(await failure(decision)).toMatchObject({
    code: 'no_longer_pending',
    facts: { details: { reason: 'lost' } },
  });
  expect((await session.requests({ ids: ['r1'] }))[0]).toMatchObject({ state: 'lost', action: null });
  expect(second.got).toEqual([]);
});

test('a session that has had a message is resumed by its id over a restart of n8n', async () => {
  const rig = await setUp();
  const { chord, session } = await running(rig);
  const sent = session.send(message('hello'));
  await until(() => chord.got.length === 1);
  chord.turn('hi');
  await sent;
  await rig.registry.shutdown();

  const next = new Registry({ folder: rig.folder });
  registries.push(next);
  await next.open(openRequest(rig.settings));
  expect((await rig.stage.chord(2)).args).toEqual(['headless', '-d', rig.project, '-r', 'S1']);
});
