import { ChordError } from '../errors';

/** What a worktree may be called, for people. */
export const nameRule =
  'Take at most 80 of the letters a to z, digits, dots, dashes and underscores; a dot or a dash is no beginning, two dots or ".lock" no part of it.';

/**
 * Chord takes no other names, since they become a folder and a branch of git (measured); a slash is what people try
 * first. Checked before anything is started.
 *
 * @throws ChordError `invalid_name`
 */
export function checkWorktreeName(name: string): void {
  const fits = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$/.test(name) && !/\.\.|\.$|\.lock$/i.test(name);
  if (name === '' || fits) return;
  throw new ChordError('invalid_name', `No worktree can be called ${JSON.stringify(name.slice(0, 100))}.`, {
    description: nameRule,
  });
}
