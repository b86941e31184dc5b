import { ChordError } from '../errors';

/** What a worktree may be called, for people. */
export const nameRule =
  'Use up to 80 letters (a to z), digits, dots, dashes and underscores. The name must not begin with a dot or a dash, end with a dot or ".lock", or contain two dots in a row.';

/**
 * Chord takes no other names, since they become a folder and a branch of git (measured); a slash is what people try
 * first. Checked before anything is started.
 *
 * @throws ChordError `invalid_name`
 */
export function checkWorktreeName(name: string): void {
  const fits = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$/.test(name) && !/\.\.|\.$|\.lock$/i.test(name);
  if (name === '' || fits) return;
  throw new ChordError('invalid_name', `A worktree cannot be named ${JSON.stringify(name.slice(0, 100))}.`, {
    description: nameRule,
  });
}
