import type { Note } from '../../disk/Session';
import { isUnmet, type Durable, type Outcome } from './question';

/** What was said in answer to a `question` command. */
export interface Receipt {
  operation_id: string;
  request_id: string;
  accepted: boolean;
  status: string;
  version: number;
  error: string;
}

/** An operation that was committed: the same command gets the same receipt again. */
export interface Operation {
  command: string;
  receipt: Receipt;
}

/**
 * The questions of one session and the operations on them, kept in its transcript.
 *
 * Not measured: how Chord writes them down; only the simulator reads these notes.
 */
export class Archive {
  readonly questions = new Map<string, Durable>();
  readonly operations = new Map<string, Operation>();
  scope = 'scope-1';

  constructor(private readonly write: (note: Note) => void) {}

  /** Reads them back. Open ones rise by one in this process; a clock that ran stands still. */
  restore(notes: Note[]): void {
    for (const note of notes) {
      if (note.note === 'question') {
        const question = note.question as Durable;
        this.questions.set(question.id, question);
      } else if (note.note === 'operation') {
        const { operation } = note as unknown as { operation: Operation };
        this.operations.set(operation.receipt.operation_id, operation);
      } else if (note.note === 'scope') this.scope = String(note.scope);
    }
    for (const question of this.open()) {
      question.version += 1;
      if (question.timer === 'armed') question.timer = 'suspended';
    }
  }

  save(question: Durable): void {
    this.questions.set(question.id, question);
    this.write({ note: 'question', question });
  }

  commit(operation: Operation): void {
    this.operations.set(operation.receipt.operation_id, operation);
    this.write({ note: 'operation', operation });
  }

  enter(scope: string): void {
    this.scope = scope;
    this.write({ note: 'scope', scope });
  }

  /** Questions that were told and have no end, by id. */
  open(): Durable[] {
    return this.sorted().filter((question) => question.visible && !question.reason);
  }

  /** Whether a person still has to act before the agent may go on with the current task. */
  get unmet(): boolean {
    return this.sorted().some((question) => question.scope === this.scope && isUnmet(question));
  }

  /** What became of the questions of one call, as the agent is told. */
  resultsOf(batch: string[]): { header: string; selected: string[]; outcome: Outcome | undefined }[] {
    return batch
      .flatMap((id) => this.questions.get(id) ?? [])
      .map(({ asked, selected, reason }) => ({
        header: asked.header,
        selected: selected ?? [],
        outcome: reason,
      }));
  }

  /** All questions that were ever told, by id. */
  sorted(): Durable[] {
    return [...this.questions.values()]
      .filter((question) => question.visible)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}
