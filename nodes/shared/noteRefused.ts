import type { IExecuteFunctions } from 'n8n-workflow';
import { isAudited, timestamp, systemClock, type ErrorCode, type RequestKind } from '../../chord';
import { deciderOf } from './execution';
import { asChordError } from './nodeError';
import { registry } from './registry';

/** What a node refuses by itself, before any session hears of it. */
const refusedByNode: readonly ErrorCode[] = [
  'no_decision',
  'ambiguous_request',
  'unknown_request',
  'invalid_answer',
  'invalid_settings',
  'wrong_session',
];

/** Writes a decision into the audit that this node refused; what a session refused stands there already. */
export const noteRefused = async (
  context: IExecuteFunctions,
  kind: RequestKind,
  error: unknown,
): Promise<void> => {
  const { code, message, facts } = asChordError(error);
  if (isAudited(error) || !refusedByNode.includes(code)) return;
  await registry().noteRefused({
    at: timestamp(systemClock),
    session_key: facts.sessionKey ?? '',
    session_id: '',
    request_id: facts.requestId ?? '',
    kind,
    tool: null,
    arguments: null,
    action: null,
    reason: '',
    rule: null,
    by: deciderOf(context),
    verified_by: null,
    refused: { code, message },
  });
};
