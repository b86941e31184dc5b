import type { Envelope } from './envelopes';

/**
 * What a running Chord can do. There is no version handshake and the features came one by one, so each is seen by
 * itself; `null` means that it is not known yet. Nothing is concluded from one to another but what is proved.
 */
export interface Capabilities {
  readonly versioned_status: boolean | null;
  readonly roles: boolean | null;
  readonly running_jobs: boolean | null;
  readonly workdir: boolean | null;
  readonly receipts: boolean | null;
  readonly question_protocol: 'A' | 'B' | 'C' | null;
  readonly handoff_holds_idle: boolean | null;
  readonly session_switched: boolean | null;
  readonly confirm_resolved: boolean | null;
  readonly images: boolean | null;
  readonly mcp: boolean | null;
  readonly input_queue: boolean | null;
  readonly transfer: boolean | null;
}

/** Nothing seen yet. */
export const noCapabilities: Capabilities = {
  versioned_status: null,
  roles: null,
  running_jobs: null,
  workdir: null,
  receipts: null,
  question_protocol: null,
  handoff_holds_idle: null,
  session_switched: null,
  confirm_resolved: null,
  images: null,
  mcp: null,
  input_queue: null,
  transfer: null,
};

type Found = Partial<Record<keyof Capabilities, Capabilities[keyof Capabilities]>>;

/** What most envelopes prove. */
const nothing: Found = {};

/** Capabilities that the first event of a kind proves. */
const provedBy: Readonly<Record<string, keyof Capabilities>> = {
  input_result: 'receipts',
  session_switched: 'session_switched',
  confirm_resolved: 'confirm_resolved',
  image_result: 'images',
  image_artifact: 'images',
  mcp_status_changed: 'mcp',
  input_queue_changed: 'input_queue',
  session_transfer_preparing: 'transfer',
  session_transfer_status: 'transfer',
  session_transfer_saved: 'transfer',
  session_transfer_released: 'transfer',
  role_change: 'roles',
  workdir_changed: 'workdir',
};

/** A whole `status_response` also proves what is missing. */
function fromStatus(envelope: Envelope, payload: Record<string, unknown>): Found {
  const versioned = typeof envelope.seq === 'number';
  return {
    versioned_status: versioned,
    roles: 'current_role' in payload,
    running_jobs: 'running_jobs' in payload,
    workdir: 'workdir' in payload,
    ...('pending_questions' in payload && { question_protocol: 'C' }),
    // Both are certain with `seq`; without it they have to be watched for.
    ...(versioned && { handoff_holds_idle: true, session_switched: true }),
  };
}

/** A question shows its protocol by the fields that it has. */
function questionProtocol(payload: Record<string, unknown>): 'A' | 'B' | 'C' {
  if ('version' in payload || 'response_policy' in payload) return 'C';
  return 'timeout_ms' in payload || 'default_answer' in payload ? 'A' : 'B';
}

function found(envelope: Envelope): Found {
  const payload = envelope.payload ?? {};
  const proved = provedBy[envelope.type];
  if (proved !== undefined) return { [proved]: true };
  switch (envelope.type) {
    case 'status_response':
      return fromStatus(envelope, payload);
    case 'ready':
      return 'workdir' in payload ? { workdir: true } : nothing;
    case 'idle':
      return 'running_jobs' in payload ? { running_jobs: true } : nothing;
    case 'question_request':
      return { question_protocol: questionProtocol(payload) };
    case 'question_updated':
    case 'question_receipt':
      return { question_protocol: 'C' };
    default:
      return nothing;
  }
}

/** Adds what one envelope reveals; returns the same object when there is nothing new. */
export function withEnvelope(known: Capabilities, envelope: Envelope): Capabilities {
  return withFacts(known, found(envelope));
}

/** Takes in facts; the same object when there is nothing new. */
export function withFacts(known: Capabilities, facts: Found): Capabilities {
  if (facts === nothing) return known;
  const news = Object.entries(facts).filter(([name, value]) => known[name as keyof Capabilities] !== value);
  return news.length === 0 ? known : { ...known, ...Object.fromEntries(news) };
}
