import type { Note } from '../disk/Session';
import type { Command } from '../wire/command';

/** One question as the model's tool call asks it. */
export interface Question {
  header: string;
  question: string;
  options: { id: string; label: string; description: string }[];
  multiple: boolean;
  policy: 'user_required' | 'default_allowed' | 'optional';
  defaultOption: string;
}

/** Why a tool call with questions ended. */
export type QuestionResult =
  /** All were answered; `text` is the tool's result for the model. */
  | { end: 'answered'; text: string }
  /** One was not; `text` says so to the model. */
  | { end: 'unanswered'; text: string }
  /** One that is required was left open: the agent rests until a person acts. */
  | { end: 'parked'; text: string }
  | { end: 'cancelled' };

/** Who asks. */
export interface Asker {
  agentId: string;
  taskId: string;
  signal: AbortSignal;
}

/** One of the question protocols. */
export interface QuestionDesk {
  /** Asks the questions of one tool call, one after the other. */
  ask(questions: Question[], asker: Asker): Promise<QuestionResult>;
  /** A `question` command. */
  command(command: Command): void;
  /** A message was admitted while a question may be open; `local`: a command that Chord does by itself at once. */
  supersede(local: boolean): void;
  /** `idle` came. */
  clear(): void;
  /** Something is required of a person: the agent rests until it is done. */
  readonly unmet: boolean;
  /** A `cancel` came. */
  pause(): void;
  /** A person's message came: gives what had to wait for one. */
  unpause(): string[];
  /** The agent's turn ended by itself. */
  taskEnded(): void;
  /** A session begins, at the start or by a switch: what it remembers. */
  enter(notes: Note[], switched: boolean): void;
  /** A slash command about questions: `done`, or why not; `undefined` when it is none of this build. */
  slash(text: string, requestId: string): { problem: string } | 'done' | undefined;
  /** What `status` shows of questions; a text where the command is answered by an error. */
  statusFields(command: Command): Record<string, unknown> | string;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * Reads the arguments of a `question` call.
 *
 * Not measured: `id`, `response_policy` and `default_option_id`, of which only protocol C knows.
 */
export function questionsOf(args: Record<string, unknown>): Question[] {
  const list = Array.isArray(args.questions) ? (args.questions as Record<string, unknown>[]) : [];
  return list.map((entry) => {
    const options = Array.isArray(entry.options) ? (entry.options as Record<string, unknown>[]) : [];
    const policy = text(entry.response_policy);
    return {
      header: text(entry.header),
      question: text(entry.question),
      options: options.map((option, index) => ({
        id: text(option.id) || `option-${index + 1}`,
        label: text(option.label),
        description: text(option.description),
      })),
      multiple: entry.multiple === true,
      policy: policy === 'default_allowed' || policy === 'optional' ? policy : 'user_required',
      defaultOption: text(entry.default_option_id),
    };
  });
}
