import type { Conversation } from './Conversation';
import { ofItself, type Input } from './inputs';
import { Jobs, type JobEnd } from './Jobs';
import type { Runtime } from './runtime';
import { MAIN_ID, MAIN_INSTANCE } from './Telling';

/** The main agent's background jobs, and what agent and client are told when one ends. */
export class JobNotes {
  readonly jobs: Jobs;
  /** Notes that the agent has not read yet. */
  private owed = 0;

  constructor(
    private readonly runtime: Runtime,
    private readonly conversation: Conversation,
    private readonly wake: (input: Input) => void,
  ) {
    this.jobs = new Jobs(runtime.place.project, runtime.clock, {
      ended: (end) => this.ended(end),
      stopped: (id) => this.toast(id, 'warn'),
    });
  }

  /** Jobs that still owe the agent a note. */
  get running(): number {
    return this.jobs.running + this.owed;
  }

  /**
   * The session was left.
   *
   * Not measured: the count of a build with `running_jobs` after a switch of session; its documentation says that it is cleared.
   */
  forget(): void {
    this.owed = 0;
  }

  private ended({ id, failed, note }: JobEnd): void {
    this.owed += 1;
    this.toast(id, failed ? 'error' : 'info');
    this.wake({ ...ofItself(note), absorbed: () => this.noted(note) });
  }

  /** Not measured: that builds with `background_result` tell a job by that alone; the measured one has only the toast. */
  private toast(id: string, level: 'info' | 'warn' | 'error'): void {
    const { profile, tell } = this.runtime;
    if (!profile.switching) tell.toast(`Background job ${id} finished`, level, MAIN_INSTANCE);
  }

  private noted(content: string): void {
    const { runtime, conversation } = this;
    this.owed -= 1;
    if (!runtime.profile.switching) return;
    runtime.out.push('background_result', {
      session_id: conversation.session.id,
      target_agent_id: MAIN_ID,
      message_index: conversation.messages.length - 1,
      content,
    });
  }
}
