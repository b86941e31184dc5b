import type { Command } from '../../wire/command';
import type { Durable } from './question';

/** Most options that one answer may name, and most bytes of an answer in own words. */
const MOST_OPTIONS = 16;
const MOST_BYTES = 8192;

/** An answer that fits its question: labels (or own words) and option ids. */
export interface Choice {
  selected: string[];
  selectedIds: string[];
}

/** Checks an answer against its question. Gives what is wrong as a text. */
export function choiceOf(question: Durable, command: Command): Choice | string {
  const { answers, custom } = command;
  const { options, multiple } = question.asked;
  if (custom) {
    const [text = ''] = answers;
    if (answers.length !== 1 || !text.trim()) return 'a custom answer needs exactly one text';
    if (Buffer.byteLength(text) > MOST_BYTES) return `a custom answer has at most ${MOST_BYTES} bytes`;
    return { selected: answers, selectedIds: [] };
  }
  if (answers.length === 0) return 'no answer given';
  if (answers.length > MOST_OPTIONS) return `at most ${MOST_OPTIONS} options`;
  if (!multiple && answers.length > 1) return 'only one option can be chosen';
  if (new Set(answers).size !== answers.length) return 'an option was named twice';
  const unknown = answers.find((id) => !options.some((option) => option.id === id));
  if (unknown !== undefined) return `unknown option "${unknown}"`;
  const labels = answers.flatMap((id) =>
    options.filter((option) => option.id === id).map(({ label }) => label),
  );
  return { selected: labels, selectedIds: answers };
}
