import { ChordError } from '../../errors';
import { checkDirectory } from '../../process/checkDirectory';
import { checkStart } from '../../process/prepareLaunch';
import { checkWorktreeName } from '../../process/worktreeName';
import type { ConnectionSettings, SessionAddress } from '../contract';
import { formatKey, parseKey, type KeyParts } from './key';

/**
 * From what a node names to the parts of the key. A key from an item obeys the same rules as names: its credential
 * must be the node's own, and its directory an allowed one.
 *
 * @throws ChordError before anything is started
 */
export async function resolveSession(
  settings: ConnectionSettings,
  address: SessionAddress,
): Promise<KeyParts> {
  const parts = 'key' in address ? ownKey(settings, address.key) : named(settings, address);
  checkName('session name', parts.name);
  checkName('worktree', parts.worktree);
  checkWellFormed(parts.name);
  if (!settings.runsElsewhere) checkWorktreeName(parts.worktree);
  checkStart(settings, parts);
  const resolved = { ...parts, projectDirectory: await checkDirectory(settings, parts.projectDirectory) };
  if ('key' in address && settings.runsElsewhere) refuseUnlikeKey(address.key, resolved);
  return resolved;
}

/**
 * Where only text can be checked, a key must be spelled as this credential spells its keys: another spelling was made
 * by somebody else.
 */
function refuseUnlikeKey(key: string, { name, worktree, ...parts }: KeyParts): void {
  if (formatKey({ ...parts, name: name.trim(), worktree: worktree.trim() }) === key) return;
  throw new ChordError('wrong_session', 'The session key was not created with this Chord credential.', {
    sessionKey: key,
    description: 'Use the field session.key of an item from a Chord node, unchanged.',
  });
}

const named = (
  settings: ConnectionSettings,
  address: Exclude<SessionAddress, { key: string }>,
): KeyParts => ({
  credentialId: settings.credentialId,
  name: address.sessionName.trim() || 'default',
  worktree: address.worktree.trim(),
  projectDirectory: address.projectDirectory.trim() || settings.projectDirectory,
});

function ownKey(settings: ConnectionSettings, key: string): KeyParts {
  const parts = parseKey(key);
  if (parts.credentialId === settings.credentialId) return parts;
  throw new ChordError(
    'wrong_session',
    'The session key belongs to a different Chord credential, not to the one in this node.',
    {
      sessionKey: key,
      description: 'Choose the credential of the node that the key came from.',
    },
  );
}

/** The name becomes part of the key, which is written as text: half a character cannot be. */
function checkWellFormed(name: string): void {
  const written = Buffer.from(name).toString();
  if (written === name) return;
  throw new ChordError('invalid_name', `The session name "${written}" contains half a character.`, {
    description: 'An emoji was cut in two: shorten the name at another place, or remove the emoji.',
  });
}

/** The worktree becomes an argument of Chord's, where a dash in front would make it an option. */
function checkName(what: string, value: string): void {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (value.length <= 200 && !value.startsWith('-') && !/[\u0000-\u001f\u007f]/.test(value)) return;
  throw new ChordError(
    'invalid_settings',
    `The ${what} ${JSON.stringify(value.slice(0, 50))} cannot be used.`,
    {
      description: 'Use a short name that has no line breaks and does not begin with a dash.',
    },
  );
}
