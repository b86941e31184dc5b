import type { Attribution, DecisionAction, NewRule, RequestKind, VerifiedBy } from './requests';

/** Who decides: where in n8n an answer came from. */
export interface DecidedBy {
  workflow_id: string;
  workflow: string;
  execution_id: string;
  node: string;
}

/** A decision that was tried, as the session tells it. */
export interface DecisionAttempt extends Attribution {
  at: string;
  /** Empty where it was refused before its session was known. */
  session_key: string;
  /** The credential of the node that refused it; left out where the session did, whose key tells it. */
  credential_id?: string;
  session_id: string;
  request_id: string;
  /** `null` when a node that answers any kind refused before it had found the request. */
  kind: RequestKind | null;
  /** With a confirm that the session knows. */
  tool: string | null;
  /** With a confirm that the session knows; only kept where the owner allows it. */
  arguments: unknown;
  /** `null` when it was refused before it was clear what was meant. */
  action: DecisionAction | null;
  reason: string;
  rule: NewRule | null;
  by: DecidedBy | null;
  verified_by: VerifiedBy | null;
  /** Why it was not carried out; `null` when it was. */
  refused: { code: string; message: string } | null;
}

/** One line of the audit: the arguments as their SHA-256, and whole only where the owner allows it. */
export type AuditEntry = Omit<DecisionAttempt, 'arguments'> & {
  arguments_sha256: string | null;
  arguments?: unknown;
};
