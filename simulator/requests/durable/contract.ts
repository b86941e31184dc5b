import type { Note } from '../../disk/Session';
import type { Command } from '../../wire/command';
import type { Archive, Receipt } from './Archive';
import type { Choice } from './choice';
import type { QuestionClocks } from './QuestionClocks';
import type { Durable, Outcome } from './question';

/** What the agent has to do for questions that are answered after their tool call ended. */
export interface QuestionOwner {
  /** Takes a result, or a person's words, and begins a turn on it unless one runs. */
  wake(content: string): void;
  /** Ends the running turn. */
  cancel(): void;
  /** Writes into the transcript of the current session. */
  note(note: Note): void;
}

/** The questions of the session as operations see them. */
export interface Desk {
  readonly archive: Archive;
  readonly owner: QuestionOwner;
  readonly clocks: QuestionClocks;
  /** Stands for this process and session: versions may be compared only under one. */
  readonly bindingId: string;
  newId(): string;
  /** Does an operation once; the same command again gets the same receipt, after a restart too. */
  perform(command: Command): Receipt;
  /** Closes an open question, tells it, and lets whoever waits go on. */
  close(question: Durable, reason: Outcome, choice?: Choice): void;
  /** A change of a question: the version rises, it is kept and told. */
  changed(question: Durable, type: 'question_updated' | 'question_resolved'): void;
  /** Hands something to the agent: at once, or with the next message where question work is paused. */
  deliver(content: string): void;
}
