import path from 'node:path';
import { ChordProcess, type ChordProcessOptions } from '../../../chord/process/ChordProcess';
import type { LaunchSettings } from '../../../chord/process/LaunchSettings';
import type { ExitReport, ProtocolProblem, TransportEvents } from '../../../chord/process/Transport';
import type { Envelope } from '../../../chord/protocol/envelopes';
import { until } from '../../support/until';

/** Real processes on a machine that does other things too; a test that hangs still ends. */
jest.setTimeout(60_000);

const fixtures = path.join(__dirname, '..', '..', 'fixtures');

/** The path of a program of `test/fixtures`. */
export const fixture = (name: string): string => path.join(fixtures, name);

/** Settings that start a fixture in this folder. */
export const settingsFor = (name: string, changes: Partial<LaunchSettings> = {}): LaunchSettings => ({
  command: fixture(name),
  commandArguments: [],
  runsElsewhere: false,
  commandQuotes: false,
  projectDirectory: fixtures,
  allowedDirectories: [],
  environment: [],
  startTimeoutMs: 30_000,
  ...changes,
});

/** Keeps everything that a process tells. */
export class Recorder implements TransportEvents {
  readonly envelopes: Envelope[] = [];

  readonly problems: ProtocolProblem[] = [];

  readonly exits: ExitReport[] = [];

  envelope = (envelope: Envelope): void => void this.envelopes.push(envelope);

  problem = (problem: ProtocolProblem): void => void this.problems.push(problem);

  exit = (report: ExitReport): void => void this.exits.push(report);

  /** Waits for the first envelope of a type. */
  seen(type: string): Promise<Envelope> {
    return until(() => this.envelopes.find((envelope) => envelope.type === type), {
      what: `envelope ${type}`,
    });
  }

  /** Waits for the end. */
  exited(): Promise<ExitReport> {
    return until(() => this.exits[0], { what: 'the exit' });
  }
}

const running: ChordProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((chord) => chord.stop()));
});

/** A process of a fixture that is stopped after the test. */
export function chordOf(
  name: string,
  changes: Partial<LaunchSettings> = {},
  options: Partial<ChordProcessOptions> = {},
): { chord: ChordProcess; seen: Recorder } {
  const settings = settingsFor(name, changes);
  const chord = new ChordProcess({ settings, directory: settings.projectDirectory, ...options });
  running.push(chord);
  return { chord, seen: new Recorder() };
}

/** The same, after its `ready`. */
export async function startedChord(
  name: string,
  changes: Partial<LaunchSettings> = {},
  options: Partial<ChordProcessOptions> = {},
): Promise<{ chord: ChordProcess; seen: Recorder; ready: Envelope }> {
  const { chord, seen } = chordOf(name, changes, options);
  return { chord, seen, ready: await chord.start(seen) };
}
