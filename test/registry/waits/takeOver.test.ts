import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Owners } from '../../../chord/registry/owners/Owners';
import { thisProcess } from '../../../chord/registry/owners/processIdentity';
import { SuspendedWaits } from '../../../chord/registry/waits/SuspendedWaits';
import { Calls } from '../../../chord/registry/calls/Calls';
import type { Wait } from '../../../chord/registry/waits/waitFile';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';
import { FakeN8n } from './support/FakeN8n';

/** An n8n in a container of its own: nothing but its heartbeat tells the others of it. */
class Container {
  readonly clock = new FakeClock();

  readonly owners: Owners;

  readonly waits: SuspendedWaits;

  readonly n8n = new FakeN8n();

  constructor(
    private readonly folder: string,
    id: string,
  ) {
    const me = { ...thisProcess(id), host: `container ${id}`, numbers: `boot/pid:[${id}]` };
    this.owners = new Owners(folder, this.clock, me);
    this.waits = new SuspendedWaits(this.owners, this.clock, new Calls(folder, this.clock), this.n8n);
  }

  /** The executions that were resumed from here. */
  get resumed(): string[] {
    return this.n8n.waits.map(({ executionId }) => executionId);
  }

  park(call: Promise<unknown>): Promise<void> {
    return this.waits.park(
      {
        callId: 'e1/node/0/0',
        executionId: 'e1',
        resumeUrl: 'http://n8n.example/webhook-waiting/e1/node',
        n8nAddress: '',
        sessionKey: 'c1:default::/p',
        waiter: 'Chord Send in workflow Tasks, execution e1',
        workflow: 'Tasks',
        node: 'Chord Send',
      },
      () => call,
    );
  }

  /** Ends as n8n does at SIGTERM. */
  end(): void {
    this.waits.shutdown();
    this.owners.end(this.waits.count > 0);
  }

  get owner(): string {
    const [file = ''] = readdirSync(join(this.folder, 'waits'));
    return (JSON.parse(readFileSync(join(this.folder, 'waits', file), 'utf8')) as Wait).owner.id;
  }
}

const never = new Promise(() => undefined);

const heartbeats = (folder: string) => readdirSync(join(folder, 'heartbeats')).toSorted();

test('what an n8n left that ended in good order is taken over at once, and its heartbeat goes', async () => {
  const folder = temporaryFolder();
  const before = new Container(folder, 'aa');
  await before.park(never);
  before.end();
  const after = new Container(folder, 'bb');
  after.waits.recover();
  await until(() => after.resumed.length === 1 && heartbeats(folder).length === 1);
  expect(heartbeats(folder)).toEqual(['bb.json']);
  expect(after.clock.now()).toBe(new FakeClock().now());
});

test('what one left that was killed in another container is taken over after 60 s of watching', async () => {
  const folder = temporaryFolder();
  await new Container(folder, 'aa').park(never);
  const after = new Container(folder, 'bb');
  after.waits.recover();
  const began = after.clock.now();
  await until(async () => {
    await after.clock.advance(5_000);
    return after.resumed.length > 0;
  });
  expect(after.clock.now() - began).toBeGreaterThanOrEqual(60_000);
  await until(() => String(heartbeats(folder)) === 'bb.json');
});

test('the old container may live on for a while beside the new one: its waits are its own until it ends', async () => {
  const folder = temporaryFolder();
  const old = new Container(folder, 'aa');
  await old.owners.begin();
  const next = new Container(folder, 'bb');
  next.waits.recover();
  // Parked when the new one has looked already.
  await old.park(never);
  const oldOne = old.owners.me;
  await until(async () => {
    await old.clock.advance(10_000);
    await next.clock.advance(5_000);
    return (await next.owners.standing(oldOne)) === 'alive';
  });
  expect(old.owner).toBe('aa');
  expect(next.resumed).toEqual([]);
  old.end();
  await until(async () => {
    await next.clock.advance(5_000);
    return next.resumed.length > 0;
  });
});

test('of two that find the same one gone, one resumes its executions', async () => {
  const folder = temporaryFolder();
  const before = new Container(folder, 'aa');
  await before.park(never);
  before.end();
  const others = [new Container(folder, 'bb'), new Container(folder, 'cc'), new Container(folder, 'dd')];
  for (const { waits } of others) waits.recover();
  await until(() => others.some(({ resumed }) => resumed.length > 0));
  await until(() => readdirSync(join(folder, 'locks')).length === 0);
  expect(others.flatMap(({ resumed }) => resumed)).toEqual(['e1']);
});

test("one that was taken for gone does not resume what is another's now", async () => {
  const folder = temporaryFolder();
  const paused = new Container(folder, 'aa');
  let end: (value: unknown) => void = () => undefined;
  await paused.park(new Promise((resolve) => (end = resolve)));
  const other = new Container(folder, 'bb');
  // n8n is still starting, so the wait stays on the disk.
  other.n8n.answers = Array<'later'>(100).fill('later');
  other.waits.recover();
  await until(async () => {
    await other.clock.advance(5_000);
    return other.owner === 'bb';
  });
  end('late');
  await until(() => paused.waits.count === 0);
  expect(paused.resumed).toEqual([]);
});
