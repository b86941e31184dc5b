import type { Command } from '../../wire/command';
import type { Receipt } from './Archive';
import { choiceOf } from './choice';
import type { Desk } from './contract';
import type { Durable } from './question';
import { encode } from '../../wire/json';

/** An operation that is not done; nothing has changed. */
export function refusal(command: Command, error: string, of?: Durable): Receipt {
  const { operation_id, request_id } = command;
  return {
    operation_id,
    request_id,
    accepted: false,
    status: of?.reason ?? '',
    version: of?.version ?? 0,
    error,
  };
}

function accepted(command: Command, question?: Durable): Receipt {
  const { operation_id, request_id } = command;
  const facts = { status: question?.reason ?? '', version: question?.version ?? 0 };
  return { operation_id, request_id, accepted: true, ...facts, error: '' };
}

type Action = (desk: Desk, command: Command, question: Durable) => Receipt;

/** Ends of which the clock is the cause: whoever is late gets to know them. */
const expired = (question: Durable) => question.reason === 'defaulted' || question.reason === 'no_response';

const closed = (command: Command, question: Durable) =>
  refusal(command, `question already ${question.reason}`, expired(question) ? question : undefined);

const ACTIONS: Record<string, Action> = {
  answer(desk, command, question) {
    if (question.reason) return closed(command, question);
    const choice = choiceOf(question, command);
    if (typeof choice === 'string') return refusal(command, choice);
    desk.close(question, 'answered', choice);
    return accepted(command, question);
  },
  decline(desk, command, question) {
    if (question.reason) return closed(command, question);
    if (command.answers.length > 0) return refusal(command, 'decline takes no answers');
    desk.close(question, 'declined');
    return accepted(command, question);
  },
  revise(desk, command, question) {
    if (!question.reason) return refusal(command, 'question is still open');
    const choice = choiceOf(question, command);
    if (typeof choice === 'string') return refusal(command, choice);
    question.revision = {
      question_id: question.id,
      result_id: desk.newId(),
      header: question.asked.header,
      selected: choice.selected,
      ...(choice.selectedIds.length > 0 ? { selected_ids: choice.selectedIds } : {}),
      outcome: 'answered',
    };
    desk.changed(question, 'question_updated');
    const result = { header: question.asked.header, selected: choice.selected, outcome: 'answered' };
    desk.deliver(`[Question revision]\n\n${encode([result])}`);
    return accepted(command, question);
  },
  presented(desk, command, question) {
    if (question.reason) return closed(command, question);
    if (command.version !== question.version || command.binding_id !== desk.bindingId)
      return refusal(command, 'stale');
    if (question.timer !== 'awaiting_presentation' && question.timer !== 'suspended')
      return accepted(command, question);
    if (command.supports_interaction) desk.clocks.arm(question);
    else question.timer = 'cancelled';
    desk.changed(question, 'question_updated');
    return accepted(command, question);
  },
  interact(desk, command, question) {
    if (question.reason) return expired(question) ? accepted(command, question) : closed(command, question);
    desk.clocks.stop(question.id);
    if (question.timer !== 'disabled') {
      question.timer = 'cancelled';
      desk.changed(question, 'question_updated');
    }
    return accepted(command, question);
  },
  withdraw_requirement(desk, command, question) {
    if (!command.user_text.trim()) return refusal(command, 'user_text is required');
    if (question.released) return refusal(command, 'the requirement was already withdrawn or replaced');
    question.released = true;
    if (question.reason) desk.changed(question, 'question_updated');
    else desk.close(question, 'cancelled');
    desk.deliver(command.user_text);
    return accepted(command, question);
  },
  replace_requirement(desk, command, question) {
    const other = desk.archive.questions.get(command.replacement_id);
    if (!command.user_text.trim()) return refusal(command, 'user_text is required');
    if (
      !other ||
      other.id === question.id ||
      other.scope !== question.scope ||
      other.taskId !== question.taskId
    ) {
      return refusal(command, 'replacement_id names no question of the same task');
    }
    if (question.released) return refusal(command, 'the requirement was already withdrawn or replaced');
    question.released = true;
    if (question.reason) desk.changed(question, 'question_updated');
    else desk.close(question, 'superseded');
    return accepted(command, question);
  },
};

/** Those that concern no single question. */
const TASK_ACTIONS: Record<string, (desk: Desk, command: Command) => Receipt> = {
  cancel_task(desk, command) {
    if (!command.user_text.trim()) return refusal(command, 'user_text is required');
    const scope = desk.archive.questions.get(command.request_id)?.scope ?? desk.archive.scope;
    desk.owner.cancel();
    for (const question of desk.archive.open())
      if (question.scope === scope) desk.close(question, 'cancelled');
    return accepted(command);
  },
  new_task(desk, command) {
    if (!command.user_text) return refusal(command, 'user_text is required');
    desk.archive.enter(desk.newId());
    desk.owner.wake(command.user_text);
    return accepted(command);
  },
};

/** Does one operation and gives its receipt; events of a change are told before it. */
export function operate(desk: Desk, command: Command): Receipt {
  if (!command.operation_id) return refusal(command, 'operation_id is required');
  const ofTask = TASK_ACTIONS[command.action];
  if (ofTask) return ofTask(desk, command);
  const action = ACTIONS[command.action];
  if (!action) return refusal(command, `unsupported question action "${command.action}"`);
  const question = desk.archive.questions.get(command.request_id);
  if (!question?.visible) return refusal(command, 'unknown question');
  if (command.version > question.version) return refusal(command, 'version is ahead of the question');
  return action(desk, command, question);
}
