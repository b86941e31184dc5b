import { spawn } from 'node:child_process';

/** Kills what still runs. */
const running = new Set<() => void>();

/** No command outlives the process. */
export function killShells(): void {
  for (const kill of running) kill();
}

/** What a command left behind. */
export interface ShellResult {
  output: string;
  /** Exit code, or `null` when a signal or the time limit ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started, or that it took too long. */
  problem: string;
}

/** Runs a command line by `bash -c` in a process group of its own, which `signal` or the time limit ends as a whole. */
export function runShell(
  command: string,
  options: { cwd: string; env: NodeJS.ProcessEnv; seconds: number; maxBytes: number; signal?: AbortSignal },
): Promise<ShellResult> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let kept = 0;
    let total = 0;
    let problem = '';
    const keep = (chunk: Buffer) => {
      total += chunk.length;
      const part = chunk.subarray(0, Math.max(0, options.maxBytes - kept));
      kept += part.length;
      chunks.push(part);
    };
    const kill = () => {
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(() => {
      problem = `timed out after ${options.seconds}s`;
      kill();
    }, options.seconds * 1000);
    const stop = () => {
      kill();
      finish(null, 'SIGKILL');
    };
    options.signal?.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    running.add(kill);
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      clearTimeout(timer);
      running.delete(kill);
      options.signal?.removeEventListener('abort', stop);
      let output = Buffer.concat(chunks).toString('utf8');
      if (total > kept) output += `\n...(output truncated: showed ${kept} of ${total} bytes total)`;
      resolve({ output, code, signal, problem });
    };
    child.on('error', (error) => {
      problem = error.message;
      finish(null, null);
    });
    child.on('close', finish);
  });
}
