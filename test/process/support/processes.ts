import { readFileSync, readdirSync } from 'node:fs';

/** Whether a process of this id runs; one that has ended and waits for its parent does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return stateOf(pid) !== 'Z';
}

/** The state letter that Linux shows; empty for a process that is gone. */
function stateOf(pid: number | string): string {
  try {
    return statOf(pid)[0] ?? '';
  } catch {
    return '';
  }
}

/** State, parent and so on: what stands after the name, which may contain anything. */
const statOf = (pid: number | string): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');

/** Children of this process that have ended and were never waited for. */
export function zombies(): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [state, parent] = statOf(pid);
        return state === 'Z' && parent === String(process.pid);
      } catch {
        return false;
      }
    }).length;
}
