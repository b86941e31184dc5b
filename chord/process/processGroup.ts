import { killWindowsTree } from './spawnProgram';

/**
 * Sends a signal to a child's whole process group. Without a group left nothing happens. The group's number cannot
 * belong to strangers while one of its members lives.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals, platform: NodeJS.Platform): void {
  if (platform === 'win32') {
    killWindowsTree(pid);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: nobody is left. EPERM (macOS): only processes that have ended are left.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Whether anybody of the group is left; on Windows there is no telling. */
export function groupLives(pid: number, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
