import type { Clock } from '../../clock';
import type { Choice } from './choice';
import type { Durable, Outcome } from './question';

/** The clocks of questions: one runs from the moment a client has shown its question. */
export class QuestionClocks {
  private readonly stops = new Map<string, () => void>();

  constructor(
    private readonly clock: Clock,
    private readonly close: (question: Durable, reason: Outcome, choice?: Choice) => void,
  ) {}

  /** Starts the one of a question that a person can see now. */
  arm(question: Durable): void {
    question.timer = 'armed';
    question.deadline = new Date(this.clock.now().getTime() + question.seconds * 1000).toISOString();
    const stop = this.clock.after(question.seconds * 1000, () => this.expire(question));
    this.stops.set(question.id, stop);
  }

  stop(id: string): void {
    this.stops.get(id)?.();
    this.stops.delete(id);
  }

  stopAll(): void {
    for (const id of [...this.stops.keys()]) this.stop(id);
  }

  private expire(question: Durable): void {
    question.timer = 'disabled';
    const { options, policy, defaultOption } = question.asked;
    const option = options.find(({ id }) => id === defaultOption);
    if (policy === 'default_allowed' && option) {
      this.close(question, 'defaulted', { selected: [option.label], selectedIds: [option.id] });
    } else this.close(question, 'no_response');
  }
}
