import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock as EngineClock } from '../../../simulator/clock';
import type { AgentConfig } from '../../../simulator/config/agents';
import type { Rule } from '../../../simulator/config/permission';
import { Sessions } from '../../../simulator/disk/Sessions';
import { Engine } from '../../../simulator/Engine';
import type { RecordEntry } from '../../../simulator/record';
import type { Scenario } from '../../../simulator/scenario/scenario';
import { profileNamed, type ProfileName } from '../../../simulator/wire/profile';
import type { FakeClock } from '../FakeClock';
import { SimulatedProcess } from './SimulatedProcess';

/** Where played Chords work: a project folder, and one in which each keeps its sessions. */
export interface Ground {
  project: string;
  state: string;
}

/** How a played Chord is set up. */
export interface ChordSetup {
  scenario: Scenario;
  /** Seconds; 0 means never. */
  confirmTimeout?: number;
  questionTimeout?: number;
}

const rule = (tool: string, action: Rule['action']): Rule => ({ tool, pattern: '*', action });

/** Writing needs a confirmation; both agents may hand a plan to the other one. */
const agentNamed = (name: string): AgentConfig => ({
  name,
  description: name,
  mode: 'main',
  pools: [],
  rules: [rule('*', 'allow'), rule('write', 'ask')],
  prompt: '',
});

/** The plan that a scenario can hand over. */
export const planPath = '.chord/plans/plan.md';

/** Makes the project's folder ready for {@link SimulatedChord}. */
export function prepareProject(project: string): void {
  mkdirSync(join(project, '.chord', 'plans'), { recursive: true });
  writeFileSync(join(project, planPath), '# Plan\n');
}

let made = 0;

/**
 * A Chord whose processes are engines of the simulator inside the test: started, killed and started again in the same
 * sessions, on the clock of the test. Its record goes over all of them and is the judge of what was granted.
 */
export class SimulatedChord {
  readonly record: RecordEntry[] = [];

  readonly processes: SimulatedProcess[] = [];

  private stirred = false;

  private readonly folder: string;

  constructor(
    readonly profile: ProfileName,
    private readonly clock: FakeClock,
    private readonly ground: Ground,
    private readonly setup: ChordSetup,
  ) {
    this.folder = join(ground.state, `sessions-${(made += 1)}`);
  }

  /** The process that was made last. */
  get process(): SimulatedProcess {
    const last = this.processes.at(-1);
    if (!last) throw new Error('No process was made.');
    return last;
  }

  /** A process that has not been started; in a new session, or in the one that is named. */
  newProcess(resume = ''): SimulatedProcess {
    const process = new SimulatedProcess(
      (write) => this.engine(resume, write),
      () => void (this.stirred = true),
    );
    this.processes.push(process);
    return process;
  }

  /** Entries of the record of one kind, in order. */
  recorded<K extends RecordEntry['kind']>(kind: K): Extract<RecordEntry, { kind: K }>[] {
    return this.record.filter((entry) => entry.kind === kind) as Extract<RecordEntry, { kind: K }>[];
  }

  /** Lets everything happen that takes no time. */
  async rest(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.takeStirred() ? 0 : quiet + 1;
    }
  }

  private takeStirred(): boolean {
    const stirred = this.stirred;
    this.stirred = false;
    return stirred;
  }

  private engine(resume: string, write: (line: string) => void): Engine {
    const { clock, ground, setup } = this;
    const sessions = new Sessions(this.folder, ground.project, () => new Date(clock.now()));
    const agents = ['builder', 'helper'].map((name) => [name, agentNamed(name)] as const);
    return new Engine({
      profile: profileNamed(this.profile),
      clock: this.engineClock(),
      place: {
        project: ground.project,
        configHome: ground.state,
        config: {
          file: '',
          pools: { default: ['mock/model'] },
          providers: { mock: { url: '', backoff: 'none', delay: 0 } },
          confirmTimeout: setup.confirmTimeout ?? 0,
          questionTimeout: setup.questionTimeout ?? 0,
          questionAutoSelectTimeout: 0,
          retryRounds: 0,
          mcp: {},
          problems: [],
        },
        agents: new Map(agents),
      },
      sessions,
      started: sessions.start(resume === '' ? { how: 'new' } : { how: 'resume', id: resume }),
      scenario: setup.scenario,
      write,
      record: (entry) => void this.record.push(entry),
    });
  }

  /** Time is the test's; a breath is a turn of the event loop. */
  private engineClock(): EngineClock {
    return {
      now: () => new Date(this.clock.now()),
      after: (milliseconds, run) => {
        if (milliseconds > 0) {
          const timer = this.clock.after(milliseconds, run);
          return () => timer.cancel();
        }
        this.stirred = true;
        const breath = setImmediate(() => {
          this.stirred = true;
          run();
        });
        return () => clearImmediate(breath);
      },
    };
  }
}
