/**
 * Slash commands in text that is sent. Chord removes leading blanks first, by Go's notion: U+0085 counts there and
 * not in JavaScript's `trim`, U+FEFF the other way round (measured: `"\u0085/new"` is a command).
 */
const goSpace = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;

/** A command's name, in lower case, and what follows it. */
export interface Slash {
  name: string;
  argument: string;
}

/** The command's name and argument, or `null` for plain text. */
export function slashCommand(text: string): Slash | null {
  const bare = text.replace(goSpace, '');
  if (!bare.startsWith('/')) return null;
  const [name = '', ...rest] = bare.split(/[\s\u0085]+/u);
  return { name: name.toLowerCase(), argument: rest.join(' ').trim() };
}

/** Whether nothing but blanks is there, by Go's notion or JavaScript's. */
export const isBlank = (text: string): boolean => text.replace(goSpace, '').trim() === '';

/** Commands that only Chord's own terminal can show: it answers with an error and leaves open requests alone. */
export const needsTerminal = ({ name, argument }: Slash): boolean =>
  name === '/export' || ((name === '/resume' || name === '/mcp') && argument === '');

/** `/loop on` is acknowledged like a local command and then works, without a task on what is left (measured). */
export const startsLoop = ({ name, argument }: Slash): boolean =>
  name === '/loop' && /^on(\s|$)/.test(argument);

/** What builds without roles carry out themselves (measured); anything else reaches the model as text there. */
const localOnOldest = new Set([
  '/models',
  '/compact',
  '/loop',
  '/new',
  '/resume',
  '/mcp',
  '/tier',
  '/rename',
  '/yolo',
  '/export',
]);

/** Whether a build without roles would give this command to the model as text. */
export const reachesModel = ({ name }: Slash): boolean => !localOnOldest.has(name);
