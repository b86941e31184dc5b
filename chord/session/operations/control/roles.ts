import { ChordError } from '../../../errors';
import { readPayload } from '../../../protocol/envelopes';
import { checkTransfer } from '../../core/checkInput';
import type { RoleRequest, RolesDocument } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import { refuseToDisturb } from './openWork';

const noRoles = (core: SessionCore, cause?: unknown) =>
  new ChordError('not_supported', 'This version of Chord has no roles to choose from.', {
    cause,
    sessionKey: core.identity.key,
    description: 'Roles need Chord 0.8 or newer.',
  });

async function ask(core: SessionCore, role?: string): Promise<RolesDocument> {
  const action = role === undefined ? ('list' as const) : ('set' as const);
  const { done } = core.connection.issue({ type: 'role', action, ...(role && { role }) }, 'role_response');
  const reply = await done.catch((error: unknown) => {
    const unknown = ChordError.is(error) && error.message.includes('unknown command type');
    throw unknown ? noRoles(core, error) : error;
  });
  const { ok, message, roles } = readPayload('role_response', reply ?? { type: 'role_response' });
  if (ok) return { roles: roles.map(({ name, current }) => ({ name, current })) };
  throw new ChordError('command_failed', message || 'Chord refused the role.', {
    sessionKey: core.identity.key,
  });
}

/**
 * The roles, or those after taking one. A role is taken at once, also inside a running turn, so that is refused while
 * somebody else is at work. Taking the active one is a success: Chord itself would call it an error.
 */
export async function roles(core: SessionCore, { role, force }: RoleRequest): Promise<RolesDocument> {
  await core.untilKnown;
  if (core.state.capabilities.roles === false) throw noRoles(core);
  if (role?.trim() === '') {
    throw new ChordError('invalid_settings', 'No role is given.', {
      description: 'Choose one, or type its name.',
    });
  }
  const before = await ask(core);
  const wanted = role?.trim();
  if (wanted === undefined || before.roles.some(({ name, current }) => current && name === wanted)) {
    return before;
  }
  if (force) checkTransfer(core);
  else refuseToDisturb(core, 'The role was not changed');
  await ask(core, wanted);
  return await ask(core);
}
