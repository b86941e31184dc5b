import type { HandoffDocument } from '../contract';
import { lineBreak } from './cut';

/**
 * Choices as a person sees them: with their numbers, which come back unchanged whatever a channel does to the words. Each
 * is one line, with a mark where a line ended: another line could begin with a number, and pretend to be a choice.
 */
export const numbered = (labels: readonly string[]): string[] =>
  labels.map((label, index) => `${index + 1}. ${label.replace(/\r\n?|\n/g, lineBreak)}`);

/** What forms, mails and chats change or leave out: entities, blanks and punctuation. */
const changed = /&#?[0-9a-z]+;|[^\p{L}\p{N}]/gu;

/** A visible escape, which stands for a character that is no letter or digit. */
const escape = /\\u\{([0-9a-f]{1,5})\}/g;

/** What is left of a text by any way that it takes: its letters and digits. */
const lasting = (text: string): string =>
  text
    .replace(escape, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .normalize('NFKC')
    .toLowerCase()
    .replace(changed, '');

const isSame = (label: string, given: string): boolean =>
  label.trim() === given.trim() || (lasting(given) !== '' && lasting(label) === lasting(given));

/**
 * The choice that `2. Blue` or `2) Blue` names, as its place in the list. The number decides, since a channel may
 * change the words; they have to be recognizable all the same, since a form that was made for another request would
 * name another choice by that number.
 */
export function numberedChoice(labels: readonly string[], answer: string): number | undefined {
  const [, digits, words = ''] = /^\s*(\d+)[.)]\s+(\S.*)$/s.exec(answer) ?? [];
  const index = Number(digits) - 1;
  const label = labels[index];
  return label !== undefined && isSame(label, words) ? index : undefined;
}

/** The number that `2`, `2.` or `2)` means, as a place in a list; NaN for anything else. */
export const placeOf = (answer: string): number =>
  Number(/^\s*(\d+)\s*[.)]?\s*$/.exec(answer)?.[1] ?? NaN) - 1;

/** The model pools of all agents that a plan is offered to, as a form lists them. */
export const offeredPools = ({ agents }: Pick<HandoffDocument, 'agents'>): string[] => [
  ...new Set(agents.flatMap(({ model_pools: pools }) => pools)),
];
