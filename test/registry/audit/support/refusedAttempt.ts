import type { DecisionAttempt } from '../../../../chord/session';

/** A decision that a node refused before it reached a session. */
export const refusedAttempt = (credential_id: string, session_key = ''): DecisionAttempt => ({
  at: '2030-01-01T00:00:00.000Z',
  credential_id,
  session_key,
  session_id: '',
  request_id: '',
  kind: 'confirm',
  tool: null,
  arguments: null,
  action: null,
  reason: '',
  rule: null,
  by: null,
  responder: null,
  responded_at: null,
  verified_by: null,
  refused: { code: 'no_decision', message: 'There is no decision.' },
});
