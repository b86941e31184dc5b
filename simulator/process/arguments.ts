import type { Start } from '../disk/Sessions';

/** What the command line asks for. */
export interface Arguments {
  directory: string;
  /** `both`: it asks for the latest session and for a certain one, which is refused, though late (measured). */
  start: Start | 'both';
  /** `undefined`: no worktree; empty: one with a name of its own. */
  worktree: string | undefined;
  environment: Record<string, string>;
}

/** A command line that Chord refuses, in its words. */
class UsageError extends Error {}

interface Flag {
  long: string;
  short?: string;
  boolean?: boolean;
}

const FLAGS: Flag[] = [
  { long: 'session-dir', short: 'd' },
  { long: 'continue', short: 'c', boolean: true },
  { long: 'resume', short: 'r' },
  { long: 'worktree', short: 'w' },
  { long: 'help', short: 'h', boolean: true },
];

/** Flags that stand for a variable. */
const VARIABLES: Record<string, string> = {
  'api-base': 'CHORD_API_BASE',
  'cache-dir': 'CHORD_CACHE_DIR',
  'config-home': 'CHORD_CONFIG_HOME',
  'logs-dir': 'CHORD_LOGS_DIR',
  'sessions-dir': 'CHORD_SESSIONS_DIR',
  'state-dir': 'CHORD_STATE_DIR',
};

const known: Flag[] = [...FLAGS, ...Object.keys(VARIABLES).map((long) => ({ long }))];

function truth(value: string, flag: Flag): string {
  if (/^(1|t|true)$/i.test(value)) return 'true';
  if (/^(0|f|false)$/i.test(value)) return 'false';
  const name = flag.short ? `-${flag.short}, --${flag.long}` : `--${flag.long}`;
  throw new UsageError(
    `invalid argument "${value}" for "${name}" flag: strconv.ParseBool: parsing "${value}": invalid syntax`,
  );
}

/**
 * Reads flags as Chord's command-line library does: `--name value`, `--name=value`, `-n value`, `-nvalue`, `-ab`.
 *
 * Not measured: each of these ways by itself; they are the library's.
 */
export function parseFlags(args: string[]): Map<string, string> {
  const values = new Map<string, string>();
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined && word !== '--'; word = rest.shift()) {
    if (word.startsWith('--')) {
      const [, long, given] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      const flag = known.find((candidate) => candidate.long === long);
      if (!flag) throw new UsageError(`unknown flag: --${long}`);
      if (flag.boolean) values.set(flag.long, truth(given ?? 'true', flag));
      else {
        const value = given ?? rest.shift();
        if (value === undefined) throw new UsageError(`flag needs an argument: --${long}`);
        values.set(flag.long, value);
      }
    } else if (word.startsWith('-') && word.length > 1) {
      for (let at = 1; at < word.length; at += 1) {
        const flag = known.find((candidate) => candidate.short === word[at]);
        if (!flag) throw new UsageError(`unknown shorthand flag: '${word[at]}' in ${word}`);
        if (flag.boolean) {
          values.set(flag.long, 'true');
          continue;
        }
        const attached = word.slice(at + 1).replace(/^=/, '');
        const value = attached || rest.shift();
        if (value === undefined) throw new UsageError(`flag needs an argument: '${flag.short}' in ${word}`);
        values.set(flag.long, value);
        break;
      }
    }
  }
  return values;
}

/** The arguments of `headless`. */
export function parseHeadless(args: string[]): Arguments | 'help' {
  const flags = parseFlags(args);
  if (flags.get('help') === 'true') return 'help';
  const id = flags.get('resume') ?? '';
  const latest = flags.get('continue') === 'true';
  const environment: Record<string, string> = {};
  for (const [flag, variable] of Object.entries(VARIABLES)) {
    const value = flags.get(flag);
    if (value) environment[variable] = value;
  }
  return {
    directory: flags.get('session-dir') ?? '',
    start: latest && id ? 'both' : id ? { how: 'resume', id } : { how: latest ? 'continue' : 'new' },
    worktree: flags.get('worktree'),
    environment,
  };
}
