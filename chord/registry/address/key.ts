import { createHash } from 'node:crypto';
import { ChordError } from '../../errors';

/** What tells one session from another. How it was started is not part of it. */
export interface KeyParts {
  credentialId: string;
  /** `default` unless the user named another. */
  name: string;
  /** Empty: the project directory itself. */
  worktree: string;
  /** Real path, so that one folder under two spellings is one session. */
  projectDirectory: string;
}

/**
 * The key of a session, as items have it: readable, and parseable again. The directory comes last and raw; the
 * other parts are URI-encoded, so they hold no colon.
 */
export const formatKey = (parts: KeyParts): string =>
  [...[parts.credentialId, parts.name, parts.worktree].map(encodeURIComponent), parts.projectDirectory].join(
    ':',
  );

const shape = /^([^:]*):([^:]+):([^:]*):(.+)$/s;

/**
 * Takes a key from an item apart.
 *
 * @throws ChordError `invalid_settings` for a text that is no session key
 */
export function parseKey(key: string): KeyParts {
  const match = shape.exec(key);
  if (!match) throw notAKey(key);
  const [, credentialId = '', name = '', worktree = '', projectDirectory = ''] = match;
  try {
    return {
      credentialId: decodeURIComponent(credentialId),
      name: decodeURIComponent(name),
      worktree: decodeURIComponent(worktree),
      projectDirectory,
    };
  } catch (cause) {
    throw notAKey(key, cause);
  }
}

const notAKey = (key: string, cause?: unknown) =>
  new ChordError('invalid_settings', `"${key.slice(0, 200)}" is not a session key.`, {
    cause,
    description: 'Use the field session.key of an item from a Chord node.',
  });

/** The name of a key's files: keys hold slashes and can be longer than file names may be. */
export const fileNameOf = (key: string): string => createHash('sha256').update(key).digest('hex');
