import { systemClock, type Clock } from '../clock';
import { ChordError } from '../errors';
import { encodeCommand, maximumLineBytes, type Command } from '../protocol/commands';
import type { Envelope } from '../protocol/envelopes';
import { Child, shortGraces } from './Child';
import { thisProcess, type HostProcess, type LaunchSettings, type StartArguments } from './LaunchSettings';
import { LineDecoder } from './LineDecoder';
import { prepareLaunch } from './prepareLaunch';
import { maskEnvelope } from './maskEnvelope';
import { SecretMask } from './SecretMask';
import { explainRepository } from './explainRepository';
import { howItEnded, launchError, startError, startTimeoutError, type FailedStart } from './failedStart';
import { StderrTail } from './StderrTail';
import type { ProtocolProblem, Transport, TransportEvents } from './Transport';
import { within } from './within';

/** What a {@link ChordProcess} is made of. */
export interface ChordProcessOptions {
  settings: LaunchSettings;
  /** The project directory of this session. */
  directory: string;
  args?: StartArguments;
  clock?: Clock;
  /** Set over everything else, e.g. a throw-away `CHORD_STATE_DIR`. */
  extraEnvironment?: Readonly<Record<string, string>>;
  /** The process that starts Chord; this one unless a test says otherwise. */
  host?: HostProcess;
}

/** A real `chord headless`. Used once: after its exit a new one is made. */
export class ChordProcess implements Transport {
  private readonly clock: Clock;

  private readonly secrets: SecretMask;

  private readonly stderr: StderrTail;

  private child: Child | undefined;

  private events: TransportEvents | undefined;

  private phase: 'new' | 'starting' | 'ready' | 'ended' = 'new';

  /** We asked for the end, so it is no crash. */
  private stopRequested = false;

  /** The first stdout line that was no envelope before `ready`. */
  private noise = '';

  private settleStart: ((ready: Envelope) => void) | undefined;

  constructor(private readonly options: ChordProcessOptions) {
    this.clock = options.clock ?? systemClock;
    this.secrets = SecretMask.of(options.settings);
    this.stderr = new StderrTail(this.secrets);
  }

  get pid(): number | undefined {
    return this.child?.program.pid;
  }

  /** The last 64 KiB of stderr at most, credential values masked. */
  get stderrTail(): string {
    return this.stderr.text();
  }

  /** `events.exit` is called only for a process that has said `ready`; before that, the rejection says it all. */
  async start(events: TransportEvents): Promise<Envelope> {
    if (this.phase !== 'new') throw new ChordError('internal', 'A Chord process was started twice.');
    this.phase = 'starting';
    this.events = events;
    try {
      return await this.launch();
    } catch (error) {
      this.phase = 'ended';
      // Settings stand in messages (a path, an argument), and a credential's value may be a part of them.
      throw this.secrets.maskError(error);
    }
  }

  async write(command: Command): Promise<void> {
    const line = encodeCommand(command);
    const bytes = Buffer.byteLength(line);
    if (bytes > maximumLineBytes) {
      throw new ChordError(
        'message_too_long',
        `The ${command.type} command is ${bytes} bytes long; Chord reads lines of at most ${maximumLineBytes} bytes (1 MiB).`,
        { description: 'Shorten the text, or put it into a file in the project and refer to that file.' },
      );
    }
    const { child } = this;
    if (child === undefined || this.phase !== 'ready' || this.stopRequested) throw this.exitError();
    const { stdin } = child.program;
    const failed = await new Promise<Error | null | undefined>((resolve) => stdin.write(line, resolve));
    if (!failed) return;
    // The pipe is broken: Chord has ended, or reads no more and so is of no use. The routine waits for its end.
    await child.stop();
    if (!child.signalled || this.wasStopped()) throw this.exitError(failed);
    throw new ChordError(
      'write_failed',
      `The ${command.type} command could not be sent: Chord stopped reading.`,
      {
        description: 'Chord was stopped. Try again: a new process is started.',
        cause: failed,
        stderrTail: this.stderrTail,
      },
    );
  }

  async stop(): Promise<void> {
    this.stopRequested = true;
    await this.child?.stop(this.phase === 'ready' ? undefined : shortGraces);
  }

  /** Ends Chord and what it started at once and synchronously: for the last moment of n8n's own process. */
  killNow(): void {
    this.stopRequested = true;
    this.child?.killNow();
  }

  private async launch(): Promise<Envelope> {
    const { settings, directory, args = {}, extraEnvironment = {}, host = thisProcess() } = this.options;
    const launch = await prepareLaunch({ settings, directory, args, extraEnvironment, host });
    if (this.wasStopped()) throw this.interrupted();
    const child = new Child(launch, this.clock);
    this.child = child;
    const ready = new Promise<Envelope>((resolve) => {
      this.settleStart = resolve;
    });
    this.connect(child);

    const first = Promise.race([ready, child.gone]);
    const inTime = await within(first, settings.startTimeoutMs, this.clock);
    if (!inTime) {
      this.phase = 'ended';
      await child.stop(shortGraces);
      throw startTimeoutError(this.failedStart(child), settings.startTimeoutMs);
    }
    const envelope = await first;
    if (envelope !== undefined) return envelope;
    if (this.wasStopped()) throw this.interrupted();
    if (child.status === undefined) throw launchError(launch.program, await child.program.spawnError);
    throw await explainRepository(startError(this.failedStart(child)), launch);
  }

  private connect(child: Child): void {
    const { stdin, stdout, stderr } = child.program;
    const decoder = new LineDecoder({
      envelope: (envelope) => this.receive(envelope),
      problem: (problem) => this.report(problem),
    });
    stdout.on('data', (chunk: Buffer) => decoder.push(chunk));
    stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    // A broken pipe fails the write that met it. Even without a write it is the end of Chord.
    stdin.on('error', () => void child.stop());
    // A read error is followed by the end of the stream, which is what counts.
    stdout.on('error', () => undefined);
    stderr.on('error', () => undefined);
    void child.gone.then(() => {
      decoder.end();
      this.ended(child);
    });
  }

  private receive(envelope: Envelope): void {
    maskEnvelope(this.secrets, envelope);
    if (this.phase === 'ready') {
      this.events?.envelope(envelope);
      return;
    }
    if (this.phase !== 'starting' || this.stopRequested) return;
    if (envelope.type !== 'ready') {
      // Chord's first line is always `ready`: whoever wrote this, it is not for the session.
      const text = JSON.stringify(envelope);
      this.report({ reason: 'not_an_envelope', sample: text.slice(0, 200), bytes: Buffer.byteLength(text) });
      return;
    }
    this.phase = 'ready';
    this.events?.envelope(envelope);
    this.settleStart?.(envelope);
  }

  private report(problem: ProtocolProblem): void {
    const masked = { ...problem, sample: this.secrets.maskCut(problem.sample) };
    if (this.phase === 'starting') this.noise ||= masked.sample;
    this.events?.problem(masked);
  }

  private ended(child: Child): void {
    if (this.phase !== 'ready') return;
    this.phase = 'ended';
    const { exitCode, signal } = child.status ?? { exitCode: null, signal: null };
    this.events?.exit({ exitCode, signal, stderrTail: this.stderrTail, expected: this.stopRequested });
  }

  private exitError(cause?: Error): ChordError {
    const status = this.child?.status;
    const lastLine = this.stderr.lastLine();
    const message =
      status === undefined
        ? this.stopRequested
          ? 'Chord is being stopped.'
          : 'Chord is not running.'
        : `Chord ended ${howItEnded(status.exitCode, status.signal)}${lastLine === '' ? '.' : `: ${lastLine}`}`;
    return new ChordError('process_exited', message, {
      description: 'The next use starts Chord again.',
      cause,
      exitCode: status?.exitCode ?? null,
      signal: status?.signal ?? null,
      stderrTail: this.stderrTail,
    });
  }

  private failedStart(child: Child): FailedStart {
    return {
      exitCode: child.status?.exitCode ?? null,
      signal: child.status?.signal ?? null,
      stderrTail: this.stderrTail,
      lastLine: this.stderr.lastLine(),
      noise: this.noise,
    };
  }

  /** A method, since the compiler does not see that `stop` may have been called in between. */
  private wasStopped(): boolean {
    return this.stopRequested;
  }

  private interrupted(): ChordError {
    return new ChordError('interrupted', 'Chord was stopped while it was starting.');
  }
}
