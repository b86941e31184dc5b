import type { Base } from '../../agent/base';
import type { Note } from '../../disk/Session';
import type { Command } from '../../wire/command';
import type { Asker, Question, QuestionDesk, QuestionResult } from '../questions';
import { Archive, type Receipt } from './Archive';
import type { Choice } from './choice';
import { QuestionClocks } from './QuestionClocks';
import type { Desk, QuestionOwner } from './contract';
import { operate, refusal } from './operations';
import { isUnmet, newQuestion, onWire, type Durable, type Outcome } from './question';
import { questionSlash } from './slash';
import { statusPage } from './statusPage';
import { Waits } from './Waits';
import { encode } from '../../wire/json';

/**
 * The durable question protocol: questions live in the session, and are answered by operations with receipts.
 *
 * Not measured: no build with this protocol was run. This folder follows the sources of such a build: its order of
 * events, its versions, its pauses; the texts for the agent, and why an operation is refused, are made up.
 */
export class DurableQuestions implements QuestionDesk, Desk {
  archive: Archive;
  bindingId: string;
  /** A `cancel` or a switch of session stops question work until the next message. */
  private paused = false;
  /** Results that came while paused. */
  private kept: string[] = [];
  private readonly waits = new Waits();
  readonly clocks: QuestionClocks;

  constructor(
    private readonly runtime: Base,
    readonly owner: QuestionOwner,
  ) {
    this.bindingId = runtime.newId();
    this.archive = new Archive((note) => owner.note(note));
    this.clocks = new QuestionClocks(runtime.clock, (...end) => this.close(...end));
  }

  newId(): string {
    return this.runtime.newId();
  }

  get unmet(): boolean {
    return this.archive.unmet;
  }

  /** Begins with what a session remembers, and tells what is open there. */
  enter(notes: Note[], switched: boolean): void {
    this.clocks.stopAll();
    this.waits.forget();
    if (switched) {
      this.bindingId = this.runtime.newId();
      this.paused = true;
    }
    this.archive = new Archive((note) => this.owner.note(note));
    this.archive.restore(notes);
    for (const question of this.archive.open()) this.tell('question_updated', question);
  }

  async ask(questions: Question[], asker: Asker): Promise<QuestionResult> {
    const batch: string[] = [];
    const { config } = this.runtime.place;
    const created = questions.map((asked) => {
      const id = this.runtime.newId();
      batch.push(id);
      return newQuestion({ id, asked, asker, scope: this.archive.scope, batch, config });
    });
    for (const question of created) this.archive.save(question);
    const answered: { header: string; selected: string[] }[] = [];
    for (const [index, question] of created.entries()) {
      if (index > 0) question.version += 1;
      question.visible = true;
      this.archive.save(question);
      this.tell(index > 0 ? 'question_updated' : 'question_request', question);
      const end = await this.waits.for(question.id, asker.signal);
      if (end === 'cancelled') return { end };
      if (end === 'released')
        return { end: 'unanswered', text: 'The questions stay open; their answers will follow.' };
      if (end.reason !== 'answered' && end.reason !== 'defaulted') {
        return isUnmet(end)
          ? { end: 'parked', text: `Error: question ${end.reason}; it is required` }
          : { end: 'unanswered', text: `Error: question ${end.reason}` };
      }
      answered.push({ header: end.asked.header, selected: end.selected ?? [] });
    }
    return { end: 'answered', text: encode(answered) };
  }

  command(command: Command): void {
    this.runtime.out.reply('question_receipt', this.perform(command));
  }

  perform(command: Command): Receipt {
    const known = this.archive.operations.get(command.operation_id);
    const same = JSON.stringify(command);
    if (known?.command === same) return known.receipt;
    if (known) return refusal(command, 'operation_id was used with other parameters');
    const receipt = operate(this, command);
    if (receipt.accepted) this.archive.commit({ command: same, receipt });
    return receipt;
  }

  /** A message does not close a question; the tool call that waits for it goes on without the answer. */
  supersede(local: boolean): void {
    if (local) return;
    this.waits.release();
  }

  /** Durable questions do not end with `idle`. */
  clear(): void {
    return;
  }

  statusFields(command: Command): Record<string, unknown> | string {
    return statusPage(this.archive, this.bindingId, command);
  }

  slash(text: string, requestId: string): { problem: string } | 'done' | undefined {
    return questionSlash(this, text, requestId);
  }

  /** A `cancel`. While nothing runs it only matters where there are questions. */
  pause(): void {
    this.paused = this.archive.questions.size > 0;
  }

  /** A message of a person: gives the results that had to wait for one. */
  unpause(): string[] {
    this.paused = false;
    return this.kept.splice(0);
  }

  /** The agent's task ended: what was not required is closed. */
  taskEnded(): void {
    if (this.unmet) return;
    for (const question of this.archive.open()) {
      if (question.asked.policy !== 'user_required') this.close(question, 'cancelled');
    }
  }

  close(question: Durable, reason: Outcome, choice: Choice = { selected: [], selectedIds: [] }): void {
    this.clocks.stop(question.id);
    question.reason = reason;
    question.resultId = this.runtime.newId();
    question.selected = choice.selected;
    question.selectedIds = choice.selectedIds;
    this.changed(question, 'question_resolved');
    this.runtime.record({
      kind: 'question',
      request_id: question.id,
      outcome: reason,
      answers: choice.selected,
    });
    if (reason !== 'answered' && reason !== 'defaulted') this.cancelRest(question);
    if (!this.waits.closed(question)) this.goOn(question);
  }

  changed(question: Durable, type: 'question_updated' | 'question_resolved'): void {
    question.version += 1;
    this.archive.save(question);
    this.tell(type, question);
  }

  deliver(content: string): void {
    if (this.paused) this.kept.push(content);
    else this.owner.wake(content);
  }

  private tell(type: string, question: Durable): void {
    this.runtime.out.push(type, onWire(question, this.bindingId));
  }

  /** Questions of the same call that were not told yet end with it. */
  private cancelRest(question: Durable): void {
    for (const id of question.batch) {
      const other = this.archive.questions.get(id);
      if (!other || other.visible || other.reason) continue;
      other.reason = 'cancelled';
      other.visible = true;
      this.changed(other, 'question_resolved');
    }
  }

  /** Nobody waits any more: the next question of the call is told, or the agent is woken with the result. */
  private goOn(question: Durable): void {
    const next = question.batch
      .map((id) => this.archive.questions.get(id))
      .find((other) => other && !other.visible);
    if (next && question.reason === 'answered') {
      next.visible = true;
      this.changed(next, 'question_updated');
      return;
    }
    if (question.scope !== this.archive.scope || question.reason === 'cancelled' || isUnmet(question)) return;
    this.deliver(`[Question result]\n\n${encode(this.archive.resultsOf(question.batch))}`);
  }
}
