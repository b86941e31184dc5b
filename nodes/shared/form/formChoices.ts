import { neutral, numbered } from '../../../chord';

/**
 * What some place that shows a label would change or hide: a pattern of n8n's text replacement, markup, characters
 * that nobody sees, blanks that run together.
 */
const changeable = /\$(?=[$&'`])|[<>`\\]|&(?=#|[a-z]+;)|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|^ | $| {2}/iu;

/** Characters that nobody sees, or that look like a common blank. */
const hidden = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** What labels have in common that look the same, or that some place makes the same. */
const alike = (label: string): string => label.normalize('NFKC').trim().toLowerCase();

/**
 * The choices of a list. Labels that come back as they are stand as they are; where one might not, or is no choice of
 * its own, all have numbers, by which the answer is matched, and what nobody sees is shown as its code point.
 *
 * @param reserved labels of ours in the same list
 */
export const choiceLabels = (labels: readonly string[], reserved: readonly string[] = []): string[] => {
  const all = [...labels, ...reserved].map(alike);
  const isPlain = new Set(all).size === all.length && !labels.some((label) => changeable.test(label));
  if (isPlain) return [...labels];
  return numbered(labels.map((label) => (hidden.test(label) ? neutral.prose(label) : label)));
};

/**
 * A text for a form's JSON, so that n8n shows the text itself: n8n puts that JSON into its parameter by a text
 * replacement, in which `$$`, `$&`, `$'` and a back-tick after `$` are patterns (read and measured, n8n 1.123 and
 * 2.40). As little as possible is doubled, since another place may show it as it stands.
 */
export const forReplacement = (text: string): string => text.replace(/\$(?=[$&'`])/g, '$$$$');
