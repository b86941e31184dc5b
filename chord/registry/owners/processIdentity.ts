import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod/v4';

/** Names one n8n process for good, in our files: also after its number or its host name was given to another. */
export const processIdentitySchema = z.object({
  /** Of its heartbeat; new at each start. Empty in files of a version without heartbeats. */
  id: z
    .string()
    .regex(/^[0-9a-f]*$/)
    .default(''),
  pid: z.number().int().positive(),
  /** For people: a host name names no machine, since a replaced container has another one, and two may have the same. */
  host: z.string(),
  /** Where its number means something, see {@link numbersOf}; empty if that is unknown. */
  numbers: z.string().default(''),
  /** When the process began, as the system reports it; empty if it does not. */
  start: z.string(),
});

/** Names one n8n process for good. */
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** Whether two files name the same process. */
export const isSameProcess = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.id === other.id && one.pid === other.pid && one.host === other.host && one.start === other.start;

/** This operating-system process. */
export const thisProcess = (id: string): ProcessIdentity => ({
  id,
  pid: process.pid,
  host: hostname(),
  numbers: numbersOf(),
  start: startOf('self') ?? '',
});

/** What can be said of another process at once, by its number; `unknown` where only its heartbeat tells. */
export type Seen = 'alive' | 'dead' | 'unknown';

/**
 * Looks a process up by its number: only where that number was given by the same system, under the same host name. One
 * that is free, or that another process has now, is of a dead one.
 */
export function seenByNumber(owner: ProcessIdentity): Seen {
  const here = numbersOf();
  if (owner.host !== hostname() || owner.numbers === '' || owner.numbers !== here) return 'unknown';
  if (!isAlive(owner.pid)) return 'dead';
  const start = startOf(owner.pid);
  return start !== undefined && owner.start !== '' && start !== owner.start ? 'dead' : 'alive';
}

/**
 * The system that gives process numbers: on Linux one boot and, for containers, one of its namespaces. Elsewhere the
 * machine, by its name.
 */
function numbersOf(): string {
  if (process.platform !== 'linux') return `${process.platform}/${hostname()}`;
  try {
    // Where /proc is another namespace's, what it says of a number is said of another process.
    if (readlinkSync('/proc/self') !== String(process.pid)) return '';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // No /proc, or not enough in it: heartbeats alone decide.
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Linux reports the start of a process in ticks since the machine came up. Elsewhere the answer is `undefined`. */
function startOf(pid: number | 'self'): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold blanks and brackets: count after its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; in a container without an init nobody may ever collect it.
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    // No /proc here, or the process has just ended; isAlive decides then.
    return undefined;
  }
}
