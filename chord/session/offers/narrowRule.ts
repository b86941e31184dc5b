import { mask } from '../../process';
import type { ConfirmDocument } from '../contract';
import { hidesSomething } from '../text/invisible';

/** The argument that Chord holds a rule of this tool against; of others it knows none but "every call" (read). */
const matched: Readonly<Record<string, string>> = {
  shell: 'command',
  write: 'path',
  edit: 'path',
  read: 'path',
  view_image: 'path',
  grep: 'pattern',
  skill: 'name',
};

/** What Chord allows one by one, so that a rule fits only if a single one is asked for. */
const severalAtOnce: readonly string[] = ['delete', 'apply_patch', 'patch', 'glob'];

/** Rules for addresses name host and port; one with a scheme never fits (read). */
function hostOf(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  const { hostname, port, protocol } = new URL(address);
  const standard = { 'http:': '80', 'https:': '443' }[protocol];
  const number = port || standard;
  return hostname && number ? `${hostname}:${number}` : null;
}

function argumentOf({ tool, arguments: args, needs_approval: needed }: ConfirmDocument): string | null {
  if (severalAtOnce.includes(tool)) return needed.length === 1 ? (needed[0] ?? null) : null;
  if (typeof args !== 'object' || args === null) return null;
  const values = args as Record<string, unknown>;
  if (tool === 'web_fetch') return hostOf(values.url);
  const value = values[matched[tool] ?? ''];
  if (typeof value !== 'string') return null;
  // Chord cuts the outer blanks of a rule, and of a shell command, but not of a path (read).
  return tool === 'shell' ? value.trim() : value;
}

/**
 * A wildcard that no letter or digit of a name stands beside, as in `rm -rf *`, `/*` or `.*`: the `?` in its place would
 * also stand for the `/` or `~` that means everything, or for the second dot of the folder above.
 */
const bareWildcard = /(?<![\p{L}\p{N}_-]\.?)[*?]+(?!\.?[\p{L}\p{N}_-])/u;

const hasWildcard = (text: string): boolean => /[*?]/.test(text);

/**
 * The narrowest rule that allows what is asked: its glob characters written so that they stand for as little as Chord
 * can say. Chord has no escape for them: a backslash is a backslash, brackets are brackets, `?` is any one character
 * (read and measured), so `?` takes the place of `*`. A rule without wildcards allows a compound command as a whole;
 * one with them is held against each of its parts, so that none fits the whole.
 *
 * @returns null where Chord knows no rule but one for every call of the tool, or none that fits
 */
export function narrowRule(request: ConfirmDocument): string | null {
  const argument = argumentOf(request);
  if (argument === null || argument !== argument.trim()) return null;
  // Nobody shall agree to a rule that is not all there to read.
  if (argument.includes(mask) || hidesSomething(argument)) return null;
  const [part, ...others] = request.needs_approval;
  const isWhole = part === undefined || (part === argument && others.length === 0);
  if (request.tool === 'shell' && hasWildcard(argument) && !isWhole) return null;
  return bareWildcard.test(argument) ? null : argument.replaceAll('*', '?');
}
