import type { QuestionDocument, QuestionOption } from './contract';

/**
 * The options that an answer names: by option id, else by exact label, else by number. More than one when a label is
 * shared; none when it names nothing.
 */
export function fittingOptions({ options }: QuestionDocument, answer: string): QuestionOption[] {
  const tests: ((option: QuestionOption, index: number) => boolean)[] = [
    (option) => option.id === answer,
    (option) => option.label === answer,
    (option) => option.label.trim() === answer.trim(),
    (_, index) => String(index + 1) === answer.trim(),
  ];
  for (const test of tests) {
    const found = options.filter(test);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * What a free reply means, e.g. one from a chat: an option where it names one, several where the question takes several
 * and each line names one, else own words.
 */
export function readReply(question: QuestionDocument, reply: string): { answers: string[]; text: string } {
  const words = reply.trim();
  if (words === '') return { answers: [], text: '' };
  if (fittingOptions(question, words).length > 0) return { answers: [words], text: '' };
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  const named = lines.every((line) => fittingOptions(question, line.trim()).length > 0);
  if (question.multiple && named) return { answers: lines.map((line) => line.trim()), text: '' };
  return question.allows_text ? { answers: [], text: words } : { answers: [words], text: '' };
}
