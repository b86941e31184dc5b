import { ChordError, type ConnectionSettings } from '../../../chord';
import type { ParameterReader } from './ParameterReader';
import { readNamedSession, type NamedSession } from './session';

/** Where the session of a request comes from. */
export type SessionChoice =
  | { from: 'auto' }
  | { from: 'key'; key: string }
  | ({ from: 'named' } & NamedSession);

/** Where the request comes from. */
export type RequestChoice = { from: 'auto' } | { from: 'open' } | { from: 'id'; id: string };

/** Which request a responder answers. */
export interface TargetSettings {
  session: SessionChoice;
  request: RequestChoice;
}

const readSession = (parameters: ParameterReader, connection: ConnectionSettings): SessionChoice => {
  const from = parameters.choice('sessionFrom', ['auto', 'named', 'key']);
  if (from === 'auto') return { from };
  if (from === 'named') return { from, ...readNamedSession(parameters, connection) };
  const key = parameters.text('sessionKey').trim();
  if (key) return { from, key };
  throw new ChordError('invalid_settings', 'No session key is given.', {
    description: 'Take it from session.key in an item of a Chord node, or set Session to "Automatic".',
  });
};

const readRequest = (parameters: ParameterReader): RequestChoice => {
  const from = parameters.choice('requestFrom', ['auto', 'open', 'id']);
  if (from !== 'id') return { from };
  const id = parameters.text('requestId').trim();
  if (id) return { from, id };
  throw new ChordError('unknown_request', 'No request ID is given.', {
    description: 'Take it from request.id in an item of a Chord node, or set Request to "Automatic".',
  });
};

/** Reads `sessionFrom`, `sessionKey`, `requestFrom`, `requestId` and the named session. */
export const readTarget = (parameters: ParameterReader, connection: ConnectionSettings): TargetSettings => ({
  session: readSession(parameters, connection),
  request: readRequest(parameters),
});
