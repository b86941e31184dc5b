import { spawn, type ChildProcess } from 'node:child_process';
import type { Clock } from '../clock';

/** Seconds that a job may run unless it says otherwise. Not measured: no recorded job came to its limit. */
const DEFAULT_SECONDS = 600;

interface Job {
  id: string;
  description: string;
  child: ChildProcess;
  output: string;
  state: 'running' | 'finished' | 'failed' | 'stopped';
}

/** A job that ended by itself and owes the agent a note. */
export interface JobEnd {
  id: string;
  failed: boolean;
  /** What the agent is told: no output (measured). */
  note: string;
}

/** Background jobs: real processes that outlive the turn that started them. */
export class Jobs {
  private readonly jobs = new Map<string, Job>();

  constructor(
    private readonly project: string,
    private readonly clock: Clock,
    private readonly tell: { ended(end: JobEnd): void; stopped(id: string): void },
  ) {}

  get running(): number {
    return [...this.jobs.values()].filter((job) => job.state === 'running').length;
  }

  /** Starts one; gives what the model is told. */
  start(args: Record<string, unknown>): string {
    const id = `job-${this.jobs.size + 1}`;
    const seconds = Number(args.timeout ?? DEFAULT_SECONDS);
    const child = spawn('bash', ['-c', String(args.command ?? '')], {
      cwd: this.project,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const job: Job = { id, description: String(args.description ?? ''), child, output: '', state: 'running' };
    this.jobs.set(id, job);
    const keep = (chunk: Buffer) => (job.output += chunk.toString('utf8'));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const stopClock = this.clock.after(seconds * 1000, () => this.kill(job));
    child.on('error', () => undefined);
    child.on('close', (code, signal) => {
      stopClock();
      if (job.state === 'stopped') return;
      job.state = code === 0 ? 'finished' : 'failed';
      const how = code === null ? `signal ${signal}` : `exit ${code}`;
      const note = `[Job ${id} result]\n\nDescription: ${job.description}\nStatus: ${job.state} (${how})`;
      this.tell.ended({ id, failed: code !== 0, note });
    });
    return `id: ${id}\nstatus: running\nmax_runtime: ${seconds}s`;
  }

  status(id: string): string {
    const job = this.jobs.get(id);
    return job ? `id: ${id}\nstatus: ${job.state}\n${job.output}` : `Error: unknown job ${id}`;
  }

  /** Stops one that the agent no longer wants: it owes no note then. */
  stop(id: string): string {
    const job = this.jobs.get(id);
    if (!job) return `Error: unknown job ${id}`;
    if (job.state === 'running') {
      this.end(job);
      this.tell.stopped(id);
    }
    return `id: ${id}\nstatus: ${job.state}`;
  }

  /** No job outlives the process. Not measured: whether Chord gives jobs time to end by themselves. */
  stopAll(): void {
    for (const job of this.jobs.values()) if (job.state === 'running') this.end(job);
  }

  private end(job: Job): void {
    job.state = 'stopped';
    this.kill(job);
  }

  private kill(job: Job): void {
    try {
      if (job.child.pid) process.kill(-job.child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
