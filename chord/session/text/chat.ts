import { fitting, messageLength, type Escape } from './cut';
import { fenced, paragraphs } from './neutral';

/** What a messenger shows, and what it says of a part that did not fit. */
export interface ChatParts {
  /** A sentence of ours before the body; empty for none. */
  opening: string;
  body: string;
  /** Whether the body is a command or a file's content. */
  isCode: boolean;
  /** Where the rest can be read, e.g. `, see the form`; empty where no place is known. */
  elsewhere: string;
}

const thousands = new Intl.NumberFormat('en-US');

const cutNote = (left: number, elsewhere: string): string =>
  `… ${thousands.format(left)} more characters${elsewhere}`;

/** Of a longer opening nobody reads the end; a name in it comes from outside. */
const openingRoom = 500;

/**
 * A text for messengers, at most {@link messageLength}: code in one fenced block, anything else as plain paragraphs. What was cut is counted,
 * outside of the block, where no text of the agent can stand.
 */
export function chatText({ opening, body, isCode, elsewhere }: ChatParts): string {
  const start = opening && `${fitting(opening, openingRoom, paragraphs).shown}${body && '\n\n'}`;
  const [before, after, escape]: [string, string, Escape] =
    isCode && body ? [`${start}\`\`\`\n`, '\n```', fenced] : [start, '', paragraphs];
  const room = messageLength - before.length - after.length;
  if (body.length <= room) {
    const whole = escape(body);
    if (whole.length <= room) return before + whole + after;
  }
  const { shown, taken } = fitting(body, room - cutNote(body.length, elsewhere).length - 1, escape);
  return `${before}${shown}${after}\n${cutNote(body.length - taken, elsewhere)}`;
}
