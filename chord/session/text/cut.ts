/** Characters of {@link summaryLine}. */
export const summaryLength = 200;

/** Characters of a text that is ready for a chat. */
export const messageLength = 2500;

const mark = '…';

/** Whole characters as a person sees them: a flag or a letter with accents is one. */
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Latin letters and Chinese characters: between two of these a text may always be cut. */
const isPlain = (unit: number): boolean =>
  (unit >= 0x20 && unit < 0x300) || (unit >= 0x4e00 && unit < 0xa000);

/** No character is longer than this, so that so much of a text shows where one ends. */
const reach = 32;

/** The last place at or before `end` that lies between two characters. */
function boundary(text: string, end: number): number {
  // Most texts need no more than this; what follows costs some microseconds.
  if (isPlain(text.charCodeAt(end - 1)) && isPlain(text.charCodeAt(end))) return end;
  // Only the character there is asked for: going through all of them takes 20 ms for a chat message and seconds for
  // a long text (measured).
  return characters.segment(text.slice(0, end + reach)).containing(end).index;
}

/** Changes a text for the place that shows it, e.g. escapes it; never makes it shorter. */
export type Escape = (text: string) => string;

const asItIs: Escape = (text) => text;

/** As much of a text as fits, in whole characters. */
export interface Fitting {
  /** What fits, escaped. */
  shown: string;
  /** How much of the text itself that is, in UTF-16 units. */
  taken: number;
}

/** The beginning of a text that takes at most `room` UTF-16 units once it is escaped, never cut inside a character. */
export function fitting(text: string, room: number, escape: Escape): Fitting {
  const whole = text.length <= room ? escape(text) : undefined;
  if (whole !== undefined && whole.length <= room) return { shown: whole, taken: text.length };
  let [fits, tooLong] = [0, Math.min(text.length, room + 1)];
  if (text.length > room && escape(text.slice(0, room)).length <= room) fits = room;
  while (tooLong - fits > 1) {
    const half = (fits + tooLong) >> 1;
    if (escape(text.slice(0, half)).length <= room) fits = half;
    else tooLong = half;
  }
  const taken = boundary(text, fits);
  return { shown: escape(text.slice(0, taken)), taken };
}

/** The beginning of a text, at most `length` UTF-16 units with the mark, never cut inside a character. */
export function cut(text: string, length: number, escape: Escape = asItIs): string {
  if (text.length <= length) {
    const whole = escape(text);
    if (whole.length <= length) return whole;
  }
  return fitting(text, length - mark.length, escape).shown + mark;
}

/** A run of blanks, line breaks in it or not, or a part of a word. */
const pieces = /[\t\n\r ]+|[^\t\n\r ]{1,256}/g;

/** Where a line ended in a text that now is one line. */
export const lineBreak = ' ↵ ';

/**
 * One line from a text: blanks run together, and a mark stands where a line ended, so that nothing seems to belong to
 * what stands before it. Gives up when more than `length` is there.
 */
function oneLine(text: string, length: number): string {
  let line = '';
  let blank = '';
  for (const [piece] of text.matchAll(pieces)) {
    if (/^[\t\n\r ]/.test(piece)) {
      blank = piece.includes('\n') ? lineBreak : ' ';
    } else {
      line += (line === '' ? '' : blank) + piece;
      blank = '';
      if (line.length > length) break;
    }
  }
  return line;
}

/** One plain line, at most {@link summaryLength}; a cut is marked, however many blanks stand before what follows. */
export const summaryLine = (text: string, escape: Escape = asItIs): string =>
  cut(oneLine(text, summaryLength + reach), summaryLength, escape);

/** A text for a chat: at most {@link messageLength}. */
export const chatMessage = (text: string, escape: Escape = asItIs): string =>
  cut(text.trim(), messageLength, escape);
