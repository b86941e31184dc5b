/**
 * How a text is read. `code` is what runs or is written to a file, where any other blank than the common one is shown,
 * since it looks the same and is not; `prose` is read by a person only, where such blanks are typography.
 */
export type Reading = 'code' | 'prose';

/** Of the format characters those that are seen: the number signs of Arabic and its neighbours. */
const seen = String.raw`\u{600}-\u{605}\u{6DD}\u{70F}\u{890}\u{891}\u{8E2}\u{110BD}\u{110CD}`;

/** Beside what Unicode calls control, format or ignorable: marks of annotations, and characters that look empty. */
const hidden = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFF9}-\u{FFFC}`;

/**
 * What nobody sees, as a class for expressions with the flag `v`: control, direction, zero-width and other invisible
 * characters, and halves of characters. Line breaks and tabs stay what they are; a carriage return alone is in
 * {@link loneReturn}.
 */
export const invisible: Readonly<Record<Reading, string>> = {
  code: String.raw`[[${hidden}\p{Zs}]--[${seen}\t\n\r\u{20}]]`,
  prose: String.raw`[[${hidden}]--[${seen}\t\n\r]]`,
};

/** A carriage return that ends no line: terminals write over the line with what follows. */
export const loneReturn = String.raw`\r(?!\n)`;

/** Scripts in which a joiner decides how letters look. */
const joined = [
  'Arab',
  'Beng',
  'Deva',
  'Gujr',
  'Guru',
  'Knda',
  'Mlym',
  'Orya',
  'Sinh',
  'Syrc',
  'Taml',
  'Telu',
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');

/** Invisible characters that do what they are for: within an emoji, and between letters that join. */
const inPlace = new RegExp(
  [
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}])\u{200D}(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic})[\u{FE0E}\u{FE0F}]`,
    String.raw`(?<=[0-9#*])\u{FE0F}(?=\u{20E3})`,
    String.raw`(?<=[${joined}])[\u{200C}\u{200D}](?=[${joined}])`,
  ].join('|'),
  'vy',
);

/** The only characters that {@link inPlace} can match: a call of it takes a microsecond. */
const joiners = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f']);

/**
 * Whether the invisible character at this place makes part of one that is seen, e.g. of the emoji of a family.
 *
 * @param found the character there
 */
export function isInPlace(text: string, at: number, found: string): boolean {
  if (!joiners.has(found)) return false;
  inPlace.lastIndex = at;
  return inPlace.test(text);
}

const hidingInCode = new RegExp(`${loneReturn}|${invisible.code}`, 'gv');

/** Whether a command holds something that a plain text field would not show. */
export const hidesSomething = (code: string): boolean =>
  [...code.matchAll(hidingInCode)].some(({ 0: found, index }) => !isInPlace(code, index, found));

/** The number of a character, as Unicode names it, without leading zeros. */
export const codePoint = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);
