import { appendFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decode, isRecord } from '../wire/json';
import type { Message } from '../model/message';
import type { SessionLock } from './SessionLock';
import { unused, withUsage, type UsageEvent, type UsageSummary } from './usage';

/**
 * A line of `main.jsonl` that is no message: the role that was taken, or something about a question.
 *
 * Not measured: where Chord keeps these, and how its messages look on disk; nothing but the simulator reads these lines.
 */
export type Note = { note: string } & Record<string, unknown>;

/** What a session remembers. */
export interface Memory {
  messages: Message[];
  notes: Note[];
}

function toLine(message: Message): string {
  return JSON.stringify({
    role: message.role,
    content: message.content,
    ...(message.toolCalls
      ? {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            name: call.name,
            args: decode(call.arguments) ?? call.arguments,
          })),
        }
      : {}),
    ...(message.toolCallId ? { tool_call_id: message.toolCallId } : {}),
  });
}

function fromLine(line: Record<string, unknown>): Message {
  const calls = line.tool_calls as { id: string; name: string; args: unknown }[] | undefined;
  return {
    role: line.role as Message['role'],
    content: String(line.content ?? ''),
    ...(calls
      ? {
          toolCalls: calls.map(({ id, name, args }) => ({
            id,
            name,
            arguments: typeof args === 'string' ? args : JSON.stringify(args),
          })),
        }
      : {}),
    ...(line.tool_call_id ? { toolCallId: String(line.tool_call_id) } : {}),
  };
}

/** Whether a session folder has at least one message; one without cannot be resumed (measured). */
export function hasMessages(folder: string): boolean {
  const file = join(folder, 'main.jsonl');
  return existsSync(file) && statSync(file).size > 0;
}

/** Milliseconds of the last change in a session. */
export function lastActivity(folder: string): number {
  return Math.max(
    ...['main.jsonl', 'usage-summary.json']
      .map((name) => join(folder, name))
      .filter((file) => existsSync(file))
      .map((file) => statSync(file).mtimeMs),
  );
}

/** One session folder that this process owns. */
export class Session {
  readonly id: string;
  private firstUserMessage = '';
  private usage: UsageSummary | undefined;
  private released = false;

  constructor(
    readonly folder: string,
    private readonly project: string,
    private readonly lock: SessionLock,
  ) {
    this.id = basename(folder);
  }

  /** Reads what was said before. A last line that was cut by a kill is left out. */
  recall(): Memory {
    const file = join(this.folder, 'main.jsonl');
    const memory: Memory = { messages: [], notes: [] };
    if (!existsSync(file)) return memory;
    for (const text of readFileSync(file, 'utf8').split('\n')) {
      const line = decode(text);
      if (!isRecord(line)) continue;
      if (typeof line.note === 'string') memory.notes.push(line as Note);
      else memory.messages.push(fromLine(line));
    }
    this.firstUserMessage = memory.messages.find((message) => message.role === 'user')?.content ?? '';
    const summary = join(this.folder, 'usage-summary.json');
    const known = existsSync(summary)
      ? (decode(readFileSync(summary, 'utf8')) as UsageSummary | undefined)
      : undefined;
    if (known?.event_count) this.usage = known;
    return memory;
  }

  /** Writes a message down before anything is done with it. */
  append(message: Message): void {
    if (message.role === 'user' && !this.firstUserMessage) this.firstUserMessage = message.content;
    this.write(toLine(message));
  }

  /** Writes something down that is no message. */
  note(note: Note): void {
    this.write(JSON.stringify(note));
  }

  /** Counts a model request in `usage-summary.json`. */
  spend(event: UsageEvent, now: Date): void {
    if (this.released) return;
    this.usage = withUsage(this.usage, this.about, event, now);
    this.summarise(this.usage);
  }

  /** Gives the session back; from then on nothing is written to it. */
  release(): void {
    if (this.released) return;
    this.released = true;
    if (!this.usage) this.summarise(unused(this.about));
    this.lock.release();
  }

  private get about(): { id: string; project: string; firstUserMessage: string } {
    return { id: this.id, project: this.project, firstUserMessage: this.firstUserMessage };
  }

  private summarise(summary: object): void {
    const file = join(this.folder, 'usage-summary.json');
    writeFileSync(`${file}.tmp`, JSON.stringify(summary), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  }

  private write(line: string): void {
    if (this.released) return;
    appendFileSync(join(this.folder, 'main.jsonl'), `${line}\n`, { mode: 0o600 });
  }
}
