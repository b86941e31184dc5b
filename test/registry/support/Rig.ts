import type { ChordError } from '../../../chord/errors';
import type { Transport } from '../../../chord/process';
import type { OpenRequest } from '../../../chord/registry/contract';
import { Registry, type RegistryOptions } from '../../../chord/registry/Registry';
import type { StartPlan } from '../../../chord/registry/start/startPlan';
import type { ChordEvent, ChordSession } from '../../../chord/session';
import type { ProfileName } from '../../../simulator/wire/profile';
import { FakeChord } from '../../session/support/FakeChord';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';
import { openRequest, settingsFor } from './settings';

/** One start of a process, as the registry asked for it. */
export interface Start {
  plan: StartPlan;
  chord: FakeChord;
  stopped: boolean;
}

/** What the next start does instead of coming up: fails so, or waits until it is let go. */
export type NextStart = ChordError | Promise<void>;

/** Holds something back until the test lets it go. */
export class Gate {
  open: () => void = () => undefined;

  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** A registry whose processes are played in memory and whose clock stands still. */
export class Rig {
  readonly clock = new FakeClock();

  readonly starts: Start[] = [];

  /** For the next starts, in order; without one a process comes up at once. */
  readonly next: NextStart[] = [];

  profile: ProfileName = 'd2';

  /** Called for each process once it has said `ready`, before anybody else acts on that. */
  onReady: (start: Start) => void = () => undefined;

  /** The session that the next processes open, whatever they are told. */
  misdirect: string | undefined;

  registry: Registry;

  constructor(
    readonly folder = temporaryFolder(),
    readonly project = temporaryFolder(),
  ) {
    this.registry = this.newRegistry();
  }

  /** Another n8n process, as it were, with the same folder. */
  newRegistry(more: Pick<RegistryOptions, 'remember' | 'n8n'> = {}): Registry {
    return new Registry({
      ...more,
      clock: this.clock,
      folder: this.folder,
      makeTransport: (_settings, _parts, plan) => this.transport(plan),
    });
  }

  /** The process that was started last. */
  get chord(): FakeChord {
    const start = this.starts.at(-1);
    if (!start) throw new Error('Nothing was started.');
    return start.chord;
  }

  /** What was started, in short: `new`, `resume S1`, `latest`. */
  get started(): string[] {
    return this.starts.map(({ plan }) => `${plan.kind} ${plan.sessionId}`.trim());
  }

  request(more: Partial<OpenRequest> = {}): OpenRequest {
    return openRequest(settingsFor(this.project), more);
  }

  open(more: Partial<OpenRequest> = {}): Promise<ChordSession> {
    return this.registry.open(this.request(more));
  }

  /** The process ends without having been asked to. */
  crash(): void {
    this.chord.transport.exit({ exitCode: null, signal: 'SIGKILL', expected: false });
  }

  /** Waits for that many starts. */
  async hasStarted(count: number): Promise<void> {
    await until(() => this.starts.length >= count, { what: `${count} starts` });
  }

  /** Lets a crashed process come back: past its delay, until it runs. */
  async comesBack(session: ChordSession): Promise<void> {
    await this.clock.advance(1_000);
    await this.runs(session);
  }

  async runs(session: ChordSession): Promise<void> {
    await until(async () => (await status(session)).running, { what: 'the process runs' });
  }

  private transport(plan: StartPlan): Transport {
    const chord = new FakeChord(
      this.profile,
      this.misdirect ?? (plan.kind === 'resume' ? plan.sessionId : `S${this.starts.length + 1}`),
    );
    const start: Start = { plan, chord, stopped: false };
    this.starts.push(start);
    const next = this.next.shift();
    const { transport } = chord;
    return {
      pid: undefined,
      start: async (events) => {
        if (next instanceof Promise) await next;
        else if (next) throw next;
        if (start.stopped) throw new Error('stopped while it started');
        const ready = transport.start(events);
        this.onReady(start);
        return ready;
      },
      write: (command) => transport.write(command),
      stop: async () => {
        start.stopped = true;
        await transport.stop();
      },
      killNow: () => transport.killNow(),
    };
  }
}

/** The status without asking for more. */
export const status = (session: ChordSession) => session.status({ diagnostics: true, includeModels: false });

/** Everything that a listener of this lease is given from now on. */
export async function published(session: ChordSession, id = 'a listener'): Promise<ChordEvent[]> {
  const events: ChordEvent[] = [];
  await session.listen(
    {
      id,
      filter: { events: 'all', mainAgentOnly: false, includeSuppressed: true, toolNames: [] },
      emitOpenRequests: false,
      production: true,
    },
    (event) => events.push(event),
  );
  return events;
}

/** Names of own events about the process, in order, with why or whether it comes back. */
export const processEvents = (events: ChordEvent[]): string[] =>
  events
    .filter(({ event }) => event.startsWith('process_'))
    .map(({ event, payload }) => [event, payload.restart].filter(Boolean).join(' '));

export { sendRequest as message } from '../../../chord/session/operations/send/sendRequest';
