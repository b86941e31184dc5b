import { numberedChoice, placeOf } from '../../text/choices';
import type { QuestionDocument, QuestionOption } from '../../contract';

/**
 * The options that an answer names: by option id, exact label, or number and label (`2. Blue`), else by number alone
 * (`2`, `2.`, `2)`). More than one when a label is shared, or is also the id or the numbered label of another option;
 * none when it names nothing.
 */
export function fittingOptions({ options }: QuestionDocument, answer: string): QuestionOption[] {
  const place = placeOf(answer);
  const shown = numberedChoice(
    options.map(({ label }) => label),
    answer,
  );
  const tests: ((option: QuestionOption, index: number) => boolean)[] = [
    (option, index) => option.id === answer || option.label === answer || index === shown,
    (option) => option.label.trim() === answer.trim(),
    (_, index) => index === place,
  ];
  for (const test of tests) {
    const found = options.filter(test);
    if (found.length > 0) return found;
  }
  return [];
}

/** One answer a line, or numbers alone with commas or blanks between them. */
const partsOf = (reply: string): string[] =>
  (/^[\d.),;\s]+$/.test(reply) ? reply.split(/[,;\s]+/) : reply.split('\n'))
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * What a free reply means, e.g. one from a chat: an option where it names one, several where the question takes several
 * and each part names one, else own words.
 */
export function readReply(question: QuestionDocument, reply: string): { answers: string[]; text: string } {
  const words = reply.trim();
  if (words === '') return { answers: [], text: '' };
  if (fittingOptions(question, words).length > 0) return { answers: [words], text: '' };
  const parts = partsOf(words);
  const named = parts.length > 0 && parts.every((part) => fittingOptions(question, part).length > 0);
  if (question.multiple && named) return { answers: parts, text: '' };
  return question.allows_text ? { answers: [], text: words } : { answers: [words], text: '' };
}
