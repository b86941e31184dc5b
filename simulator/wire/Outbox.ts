import type { Profile } from './profile';
import { encode } from './json';

/** What one stdout line holds. */
interface Envelope {
  type: string;
  seq?: number;
  payload?: unknown;
}

/** Everything a `subscribe` can shut out; all else is always sent. Not measured: the names that later builds added. */
const OPTIONAL = new Set([
  'activity',
  'assistant_message',
  'idle',
  'done_completion',
  'confirm_request',
  'confirm_resolved',
  'question_request',
  'question_updated',
  'question_resolved',
  'handoff_request',
  'handoff_cancelled',
  'role_change',
  'notification',
  'agent_started',
  'agent_notify',
  'agent_done',
  'assistant_rollback',
  'info',
  'toast',
  'todos',
  'compaction_status',
  'session_switched',
  'workdir_changed',
  'background_result',
  'context_notice',
  'image_result',
]);

/** Writes envelopes, numbers the pushes where the profile numbers them, and obeys `subscribe`. */
export class Outbox {
  /** The version of the state; 1 before anything happened. Not measured: `seq` in all its uses follows the sources. */
  private seq = 1;
  private subscription: Set<string> | undefined;

  constructor(
    private readonly profile: Profile,
    private readonly write: (line: string) => void,
  ) {}

  /** An allow-list for optional events; unknown names match nothing, so a list of only those shuts all out. */
  subscribe(events: string[]): void {
    this.subscription = new Set(events);
  }

  /** The state changed without an envelope: the version rises all the same. */
  stir(): void {
    this.seq += 1;
  }

  /** An event. It raises the version even when it is filtered out. */
  push(type: string, payload: object): void {
    this.seq += 1;
    if (this.subscription && OPTIONAL.has(type) && !this.subscription.has(type)) return;
    this.emit(type, payload, true);
  }

  /** A copy of the state: carries the version without raising it. */
  snapshot(type: string, payload: object): void {
    this.emit(type, payload, true);
  }

  /** A direct reply or a command error: never numbered. */
  reply(type: string, payload: object): void {
    this.emit(type, payload, false);
  }

  /** A command error. */
  refuse(message: string, code?: string): void {
    this.reply('error', code ? { code, message } : { message });
  }

  private emit(type: string, payload: object, numbered: boolean): void {
    // Chord builds most payloads as maps, which Go writes in the order of their keys; a handoff is a struct.
    const fields = Object.entries(payload);
    if (type !== 'handoff_request') fields.sort(([a], [b]) => (a < b ? -1 : 1));
    const envelope: Envelope = { type };
    if (numbered && this.profile.seq) envelope.seq = this.seq;
    envelope.payload = Object.fromEntries(fields);
    this.write(encode(envelope));
  }
}
