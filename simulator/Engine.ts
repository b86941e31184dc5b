import { randomBytes } from 'node:crypto';
import { MainAgent } from './agent/MainAgent';
import type { Base, Place } from './agent/base';
import type { Runtime } from './agent/runtime';
import { Status } from './agent/Status';
import { Telling } from './agent/Telling';
import type { Clock } from './clock';
import { Commands } from './commands/Commands';
import { workdirOf } from './commands/status';
import type { Memory } from './disk/Session';
import type { Sessions, Started } from './disk/Sessions';
import { ModelPools } from './model/ModelPools';
import type { RecordEntry, Recorder } from './record';
import type { Scenario } from './scenario/scenario';
import { Script } from './scenario/Script';
import { parseCommand } from './wire/command';
import { Outbox } from './wire/Outbox';
import type { Profile } from './wire/profile';

/** Everything an engine needs; nothing of it is a process. */
export interface EngineOptions {
  profile: Profile;
  clock: Clock;
  place: Place;
  sessions: Sessions;
  started: Started;
  scenario: Scenario;
  /** Takes each stdout line, without its line end. */
  write(line: string): void;
  /** Takes what was done, as it happens. */
  record?: Recorder;
}

/** Stands for a line that was thrown away. */
interface TooLong {
  limit: number;
}

/**
 * One running Chord, without the process around it: takes stdin lines and gives stdout lines.
 *
 * The same engine runs in the `chord` executable and inside a test, on a clock that the test moves.
 */
export class Engine {
  /** What was done, for a test that holds the engine. */
  readonly record: RecordEntry[] = [];
  private readonly runtime: Runtime;
  private readonly agent: MainAgent;
  private readonly commands: Commands;
  private readonly memory: Memory | undefined;
  private queue: (string | TooLong)[] = [];
  private reading = false;
  private stopped = false;

  constructor(private readonly options: EngineOptions) {
    const { profile, clock, place, sessions, started } = options;
    const out = new Outbox(profile, (line) => {
      if (!this.stopped) options.write(line);
    });
    const status = new Status(clock);
    const base: Base = {
      profile,
      clock,
      place,
      sessions,
      script: new Script(options.scenario),
      out,
      status,
      record: (entry) => this.note(entry),
      tell: new Telling(profile, out, status),
      pools: new ModelPools(place.agents, place.config),
      newId: () => randomBytes(16).toString('hex'),
    };
    this.memory = started.restored ? started.session.recall() : undefined;
    this.agent = new MainAgent(base, started.session, this.memory);
    this.runtime = this.agent.runtime;
    this.commands = new Commands(this.agent);
  }

  /** Says `ready`, and what is to be said about the start. */
  start(): void {
    const { runtime, agent } = this;
    const { started, place } = this.options;
    const { session } = agent.conversation;
    runtime.record({
      kind: 'session',
      session_id: session.id,
      how: started.restored ? 'resumed' : 'started',
    });
    runtime.out.reply('ready', {
      session_id: session.id,
      ...(runtime.profile.jobs ? { workdir: workdirOf(place) } : {}),
      ...(place.worktree ? { worktree: place.worktree } : {}),
      ...(started.skipped.length > 0 ? { skipped_locked_sessions: started.skipped } : {}),
    });
    const problems = place.config.problems.length;
    if (problems > 0) {
      const [noun, verb] = problems === 1 ? ['problem', 'was'] : ['problems', 'were'];
      runtime.tell.toast(
        `config.yaml had ${problems} ${noun} that ${verb} ignored at startup; run "chord doctor config" for details.`,
        'warn',
      );
    }
    for (const id of started.skipped) {
      runtime.tell.toast(`Session ${id} is open in another Chord process; continuing with this session.`);
    }
    if (started.restored) {
      const count = agent.conversation.messages.length;
      runtime.tell.toast(`Resumed session from ${session.id}: ${count} messages restored`);
    }
    runtime.questions.enter(this.memory?.notes ?? [], false);
  }

  /** Takes one stdin line, without its line end. Lines are carried out in order. */
  receive(line: string): void {
    this.take(line);
  }

  /** A stdin line was longer than Chord takes. */
  receiveTooLong(limit: number): void {
    this.take({ limit });
  }

  /** Ends everything at once, without a farewell, and gives the session back. */
  stop(reason: string): void {
    if (this.stopped) return;
    this.stopped = true;
    this.note({ kind: 'end', reason });
    this.agent.stop();
  }

  private take(line: string | TooLong): void {
    this.queue.push(line);
    if (!this.reading) void this.read();
  }

  private async read(): Promise<void> {
    this.reading = true;
    for (let line = this.queue.shift(); line !== undefined; line = this.queue.shift()) {
      const blocked = this.obey(line);
      if (blocked) await blocked;
    }
    this.reading = false;
  }

  private obey(line: string | TooLong): void | Promise<void> {
    if (line === '' || this.stopped) return;
    if (typeof line !== 'string') {
      this.runtime.out.refuse(`stdin read error: line exceeds ${line.limit} bytes`, 'stdin_line_too_long');
      return;
    }
    this.note({ kind: 'stdin', line });
    const command = parseCommand(line);
    if (!command) {
      this.runtime.out.refuse('invalid JSON command');
      return;
    }
    return this.commands.run(command);
  }

  private note(entry: RecordEntry): void {
    this.record.push(entry);
    this.options.record?.(entry);
  }
}
