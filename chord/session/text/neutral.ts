import { codePoint, invisible, isInPlace, loneReturn, type Reading } from './invisible';

/**
 * The entities that a browser reads without a semicolon too, as in `&copy=1`.
 * See https://html.spec.whatwg.org/multipage/named-characters.html
 */
const shortEntities =
  'A(?:Elig|MP|acute|circ|grave|ring|tilde|uml)|C(?:OPY|cedil)|E(?:TH|acute|circ|grave|uml)|GT|I(?:acute|circ|grave|uml)|' +
  'LT|Ntilde|O(?:acute|circ|grave|slash|tilde|uml)|QUOT|REG|THORN|U(?:acute|circ|grave|uml)|Yacute|' +
  'a(?:acute|circ|cute|elig|grave|mp|ring|tilde|uml)|brvbar|c(?:cedil|edil|ent|opy|urren)|d(?:eg|ivide)|' +
  'e(?:acute|circ|grave|th|uml)|frac(?:12|14|34)|gt|i(?:acute|circ|excl|grave|quest|uml)|laquo|lt|' +
  'm(?:acr|icro|iddot)|n(?:bsp|ot|tilde)|o(?:acute|circ|grave|rd[fm]|slash|tilde|uml)|p(?:ara|lusmn|ound)|quot|' +
  'r(?:aquo|eg)|s(?:ect|hy|up[123]|zlig)|t(?:horn|imes)|u(?:acute|circ|grave|ml|uml)|y(?:acute|en|uml)';

/** Any name of two to 31 letters and digits may be one of the 2,125 entities that end with a semicolon. */
const longEntities = '[A-Za-z][A-Za-z0-9]{1,30};';

/** What some place that shows a text reads as something else than itself. */
const read = [
  // Where a tag, a comment, or a link of Slack begins.
  '<(?=[A-Za-z\\/!?@#])',
  `&(?=#[0-9]|#[Xx][0-9A-Fa-f]|${longEntities}|${shortEntities})`,
  // n8n makes a line break of a backslash and an n; before `u{` it would be an escape of ours.
  '\\\\(?=n|u\\{)',
  loneReturn,
];

const escape = (found: string, ...more: unknown[]): string => {
  // No group has a name, so that offset and text are the last two.
  const [at, text] = more.slice(-2) as [number, string];
  return isInPlace(text, at, found) ? found : `\\u{${codePoint(found)}}`;
};

/** Builds a function that puts a visible escape, e.g. `\u{3c}`, for what would be read, and for what nobody sees. */
const escaping = (reading: Reading, alsoRead: readonly string[] = []): ((text: string) => string) => {
  const pattern = new RegExp([...read, ...alsoRead, invisible[reading]].join('|'), 'gmv');
  return (text) => text.replace(pattern, escape);
};

/**
 * A text that no place reads as markup, and that hides nothing: where something would be read, or cannot be seen, its
 * code point stands as a visible escape; all else stays as it is, so that ordinary text is not changed. Undone by
 * putting the character for each `\u{…}`; two different texts never become the same.
 */
export const neutral: Readonly<Record<Reading, (text: string) => string>> = {
  code: escaping('code'),
  prose: escaping('prose'),
};

/** The same between the back-ticks of a messenger's code block, which cannot end it. */
export const fenced = escaping('code', ['`']);

/** Markup of messengers: Slack, Telegram (where one odd underscore is refused), Discord, Mattermost. */
const markup = [
  '[*_~`\\[]',
  // Two of them hide a text in Discord.
  '\\|(?=\\|)',
  '(?<=^[\\t ]*)[#>]',
  '\\\\(?=[!-\\/:-@\\[-`\\{-~])',
];

/** Plain paragraphs for a messenger: nothing of them is read as markup. */
export const paragraphs = escaping('prose', markup);
