/** Characters of {@link summaryLine}. */
export const summaryLength = 200;

/** Characters of a text that is ready for a chat. */
export const messageLength = 2500;

const mark = '…';

/** Whole characters as a person sees them: a flag or a letter with accents is one. */
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The beginning of a text, at most `length` UTF-16 units with the mark, never cut inside a character.
 */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // A little more than needed, since a character may reach over the limit. Only the one there is asked for: going
  // through all of them takes 20 ms for a chat message and seconds for a long text (measured).
  const beginning = characters.segment(text.slice(0, length + 32));
  const end = beginning.containing(length - mark.length).index;
  return text.slice(0, end) + mark;
}

/** One plain line: white space runs together, at most {@link summaryLength}. */
export const summaryLine = (text: string): string =>
  cut(
    cut(text, 4 * summaryLength)
      .replace(/\s+/gu, ' ')
      .trim(),
    summaryLength,
  );

/** A text for a chat: at most {@link messageLength}. */
export const chatMessage = (text: string): string => cut(text.trim(), messageLength);
