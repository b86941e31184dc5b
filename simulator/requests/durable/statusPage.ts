import type { Command } from '../../wire/command';
import type { Archive } from './Archive';
import { onWire } from './question';

/** Closed questions that one `status` shows, and the most ids that one may ask for. */
const PAGE = 16;
const MOST_IDS = 32;

/** The question fields of `status_response`, or why it is answered by an error. */
export function statusPage(
  archive: Archive,
  bindingId: string,
  command: Command,
): Record<string, unknown> | string {
  const { question_ids: ids, questions_after_id: after, binding_id: binding } = command;
  if (ids.length > MOST_IDS) return `status: at most ${MOST_IDS} question_ids`;
  if (after && !binding) return 'status: questions_after_id requires binding_id';
  if (binding && binding !== bindingId) return 'status: binding_id does not match';
  if (after && !archive.questions.has(after)) return 'status: unknown questions_after_id';
  const all = archive.sorted();
  const history = all.filter((question) => question.reason && question.id > after);
  const page = history.slice(0, PAGE);
  const shown = all.filter(
    (question) => !question.reason || ids.includes(question.id) || page.includes(question),
  );
  return {
    pending_questions: archive.open().map((question) => onWire(question, bindingId)),
    questions: shown.map((question) => onWire(question, bindingId)),
    question_binding_id: bindingId,
    questions_next_after_id: history.length > PAGE ? (page.at(-1)?.id ?? '') : '',
  };
}
