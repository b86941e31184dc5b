import type { Base } from '../agent/base';
import { MAIN_ID } from '../agent/Telling';
import type { Command } from '../wire/command';
import type { Asker, Question, QuestionDesk, QuestionResult } from './questions';
import { encode } from '../wire/json';

interface Open {
  id: string;
  fields: Record<string, unknown>;
  settle(outcome: string, answers: string[]): void;
}

/**
 * The two older question protocols: a question lives as long as its process waits for it.
 *
 * A closes silently, an unknown id is ignored; B tells `question_resolved`, an unknown id is an error.
 *
 * Not measured: B; its `deadline`, refusals and `question_resolved` follow the sources of a build that has it.
 */
export class PlainQuestions implements QuestionDesk {
  private current: Open | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly runtime: Base) {}

  ask(questions: Question[], asker: Asker): Promise<QuestionResult> {
    const result = this.queue.then(() => this.askAll(questions, asker));
    this.queue = result;
    return result;
  }

  command(command: Command): void {
    if (this.runtime.profile.questions === 'A') {
      if (this.current?.id !== command.request_id) return;
      this.current.settle(command.cancelled ? 'cancelled' : 'answered', command.answers);
      return;
    }
    const refuse = (message: string) => this.runtime.out.refuse(message);
    if (command.reason !== 'answered' && command.reason !== 'declined') {
      refuse('question reason must be answered or declined');
    } else if (this.current?.id !== command.request_id) {
      refuse('no matching pending question');
    } else {
      this.current.settle(command.reason, command.reason === 'answered' ? command.answers : []);
    }
  }

  supersede(): void {
    this.current?.settle(this.runtime.profile.questions === 'A' ? 'cancelled' : 'superseded', []);
  }

  clear(): void {
    this.current = undefined;
  }

  readonly unmet = false;

  pause(): void {
    return;
  }

  unpause(): string[] {
    return [];
  }

  taskEnded(): void {
    return;
  }

  enter(): void {
    return;
  }

  slash(): undefined {
    return undefined;
  }

  statusFields(): Record<string, unknown> {
    const fields = this.current?.fields;
    const always = ['options', 'default_answer'];
    const shown = (value: unknown) =>
      value !== null &&
      value !== '' &&
      value !== 0 &&
      value !== false &&
      !(Array.isArray(value) && value.length === 0);
    return {
      pending_question: fields
        ? Object.fromEntries(
            Object.entries(fields).filter(([key, value]) => always.includes(key) || shown(value)),
          )
        : null,
    };
  }

  private async askAll(questions: Question[], asker: Asker): Promise<QuestionResult> {
    const answered: { header: string; selected: string[] }[] = [];
    for (const question of questions) {
      const { outcome, answers } = await this.askOne(question, asker);
      if (outcome === 'stopped') return { end: 'cancelled' };
      if (outcome !== 'answered') {
        return {
          end: 'unanswered',
          text: outcome === 'cancelled' ? 'Error: question cancelled by user' : `Error: question ${outcome}`,
        };
      }
      answered.push({ header: question.header, selected: answers });
    }
    return { end: 'answered', text: encode(answered) };
  }

  private fieldsOf(question: Question, id: string, agentId: string): Record<string, unknown> {
    const { profile, place, clock } = this.runtime;
    const seconds = place.config.questionTimeout;
    const labels = question.options.map((option) => option.label);
    const timing =
      profile.questions === 'A'
        ? { default_answer: labels[0] ?? '', timeout_ms: seconds * 1000 }
        : seconds > 0
          ? { deadline: new Date(clock.now().getTime() + seconds * 1000).toISOString() }
          : {};
    return {
      tool_name: 'question',
      header: question.header,
      question: question.question,
      options: labels,
      option_details: question.options.map((option) => option.description),
      ...timing,
      multiple: question.multiple,
      request_id: id,
      ...(profile.roles ? { agent_id: agentId || MAIN_ID } : {}),
    };
  }

  private async askOne(question: Question, asker: Asker): Promise<{ outcome: string; answers: string[] }> {
    const { runtime } = this;
    const id = runtime.newId();
    const fields = this.fieldsOf(question, id, asker.agentId);
    const settled = await new Promise<{ outcome: string; answers: string[] }>((resolve) => {
      if (asker.signal.aborted) {
        resolve({ outcome: 'stopped', answers: [] });
        return;
      }
      let stopClock = () => {};
      const settle = (outcome: string, answers: string[]) => {
        stopClock();
        asker.signal.removeEventListener('abort', stop);
        if (this.current?.id === id) this.current = undefined;
        resolve({ outcome, answers });
      };
      const stop = () => settle('stopped', []);
      asker.signal.addEventListener('abort', stop, { once: true });
      const seconds = runtime.place.config.questionTimeout;
      // Not measured: how a question ends whose time is up; no recorded one had a limit.
      if (seconds > 0) stopClock = runtime.clock.after(seconds * 1000, () => settle('no_response', []));
      this.current = { id, fields, settle };
      runtime.out.push('question_request', fields);
      runtime.tell.needsUser(`Question: ${question.question}`);
    });
    const reason = settled.outcome === 'stopped' ? 'cancelled' : settled.outcome;
    runtime.record({ kind: 'question', request_id: id, outcome: reason, answers: settled.answers });
    if (runtime.profile.questions === 'B') runtime.out.push('question_resolved', { request_id: id, reason });
    return settled;
  }
}
