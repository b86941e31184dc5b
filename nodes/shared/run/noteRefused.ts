import type { IExecuteFunctions } from 'n8n-workflow';
import {
  isAudited,
  systemClock,
  timestamp,
  unattributed,
  type ErrorCode,
  type RequestKind,
} from '../../../chord';
import { deciderOf } from './execution';
import { asChordError } from '../errors/nodeError';
import { registry } from './registry';
import { credentialName } from '../settings/connection';

/** What a node refuses by itself, before any session hears of it. */
const refusedByNode: readonly ErrorCode[] = [
  'no_decision',
  'no_responder',
  'ambiguous_request',
  'unknown_request',
  'invalid_answer',
  'invalid_settings',
  'wrong_session',
];

/** The request that an item's answer is for, as far as it has been found. */
export interface AskedRequest {
  kind: RequestKind | null;
  /** Empty before it was found. */
  id: string;
  sessionKey: string;
}

/** Writes a decision into the audit that this node refused; what a session refused stands there already. */
export const noteRefused = async (
  context: IExecuteFunctions,
  asked: AskedRequest,
  error: unknown,
): Promise<void> => {
  const { code, message, facts } = asChordError(error);
  if (isAudited(error) || !refusedByNode.includes(code)) return;
  await registry().noteRefused({
    at: timestamp(systemClock),
    credential_id: context.getNode().credentials?.[credentialName]?.id ?? '',
    session_key: facts.sessionKey ?? asked.sessionKey,
    session_id: '',
    request_id: facts.requestId ?? asked.id,
    kind: asked.kind,
    tool: null,
    arguments: null,
    action: null,
    reason: '',
    rule: null,
    by: deciderOf(context),
    ...unattributed,
    verified_by: null,
    refused: { code, message },
  });
};
