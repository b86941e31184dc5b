import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { z } from 'zod/v4';

/** Names one operating-system process for good, also after its number was given to another. */
export const processIdentitySchema = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** When the process began, as the system tells it; empty where it does not. */
  start: z.string(),
});

/** Names one operating-system process for good. */
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** This process. */
export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  host: hostname(),
  start: startOf(process.pid) ?? '',
});

/**
 * True when the process is certainly gone: its number is free, or another process has it now. Only for this host: of
 * other hosts nothing can be known.
 *
 * @param since when the process was surely alive, in milliseconds since 1970: a machine that started later killed it
 */
export function isGone(owner: ProcessIdentity, since: number): boolean {
  if (!isAlive(owner.pid)) return true;
  const start = startOf(owner.pid);
  if (start !== undefined && owner.start !== '') return start !== owner.start;
  return since < Date.now() - uptime() * 1000 - clockSlack;
}

/** Clocks are set now and then; a start-up this close after the lock proves nothing. */
const clockSlack = 60_000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Linux tells the start of a process in ticks since the machine came up; the boot id tells one uptime from the next.
 * Elsewhere there is no file for it, and the answer is `undefined`.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold blanks and brackets: count after its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; in a container without an init nobody may ever collect it.
    if (fields[0] === 'Z') return 'ended';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    // No /proc here, or the process has just ended; isAlive decides then.
    return undefined;
  }
}
