import type { Outbox } from '../wire/Outbox';
import type { Profile } from '../wire/profile';
import type { Status } from './Status';

/** Who speaks: the fields of the main agent are empty. */
export interface Speaker {
  agent_id: string;
  agent_type: string;
  task_id: string;
  parent_agent_id: string;
}

/** The main agent as speaker. */
export const MAIN: Speaker = { agent_id: '', agent_type: '', task_id: '', parent_agent_id: '' };

/** The main agent's name in activities, and in errors and toasts of a turn (measured: the names differ). */
export const MAIN_ID = 'main';
/** See `MAIN_ID`. */
export const MAIN_INSTANCE = 'main-1';

/** Tells events on the wire and notes in the status what they mean. */
export class Telling {
  constructor(
    private readonly profile: Profile,
    private readonly out: Outbox,
    private readonly status: Status,
  ) {}

  activity(agentId: string, type: string, detail = ''): void {
    this.status.activity(type, detail);
    this.out.push('activity', { agent_id: agentId, type, detail });
  }

  assistantMessage(speaker: Speaker, text: string, toolCalls: number): void {
    this.status.touch();
    this.out.push('assistant_message', { ...speaker, text, tool_calls: toolCalls });
  }

  /** A runtime error: always has `agent_id`, never `code`. */
  error(message: string, agentId = ''): void {
    this.status.error(message);
    this.out.push('error', { agent_id: agentId, message });
  }

  /** A failed attempt that is tried again: builds with `seq` keep silent about it (not measured: their documentation says so). */
  retried(message: string, agentId: string): void {
    if (!this.profile.seq) this.error(message, agentId);
  }

  toast(message: string, level: 'info' | 'warn' | 'error' = 'info', agentId = ''): void {
    this.out.push('toast', { agent_id: agentId, level, message });
  }

  info(message: string): void {
    this.out.push('info', { agent_id: '', message });
  }

  /**
   * Somebody has to do something. Sent beside the request itself.
   *
   * Not measured: that it comes behind the request, and its wording.
   */
  needsUser(message: string): void {
    if (this.profile.switching) this.out.push('notification', { reason: 'user_input_required', message });
  }
}
