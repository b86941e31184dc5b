import { ChordError } from '../../../chord/errors';
import type {
  DecisionAction,
  DecisionResult,
  RequestKind,
  DecisionAttempt,
  Session,
} from '../../../chord/session';

/** What an answering node was told. */
export type Outcome = { verified: string } | { refused: string; because?: string };

/** One call of an answering node, and what it came to. */
export interface Answer {
  /** Stands in what is written, so that the record shows whose answer it was. */
  readonly tag: string;
  readonly requestId: string;
  readonly kind: RequestKind;
  readonly action: DecisionAction;
  outcome: Outcome | undefined;
}

/** The two ways to decide a request of each kind. */
export const actionsOf: Record<RequestKind, readonly [grant: DecisionAction, refuse: DecisionAction]> = {
  confirm: ['allow', 'deny'],
  question: ['answer', 'decline'],
  handoff: ['approve', 'deny'],
};

/** The arguments with which a confirmed call is tagged. */
export const taggedArguments = (tag: string): string => JSON.stringify({ path: 'note.txt', content: tag });

/** How a call says that it waits for nothing. */
export const notWaiting = {
  waitFor: 'nothing',
  timeoutMs: 0,
  cancelOnTimeout: false,
  cancelOnStop: false,
  decisions: 'leave',
  callId: '',
} as const;

/** Answers a request as a node does; what it writes carries the call's tag wherever the kind has room for one. */
export function callSession(
  session: Pick<Session, 'confirm' | 'answer' | 'handoff'>,
  { tag, requestId, kind, action }: Omit<Answer, 'outcome'>,
  fromItem = true,
): Promise<DecisionResult> {
  const target = {
    requestId,
    fromItem,
    ...notWaiting,
    by: { workflow_id: 'w', workflow: 'W', execution_id: 'e', node: tag },
  } as const;
  const denyReason = action === 'deny' ? tag : '';
  switch (kind) {
    case 'confirm':
      return session.confirm({
        ...target,
        action: action as 'allow',
        denyReason,
        editedArguments: action === 'allow' ? taggedArguments(tag) : '',
        editSummary: '',
        rule: null,
      });
    case 'question':
      return session.answer({
        ...target,
        action: action as 'answer',
        answers: [],
        text: action === 'answer' ? tag : '',
      });
    case 'handoff':
      return session.handoff({ ...target, action: action as 'approve', agent: '', pool: '', denyReason });
  }
}

/** What a call came to, and why a request was closed that it came too late for. Only errors with a code are outcomes. */
export const outcomeOf = (call: Promise<DecisionResult>): Promise<Outcome> =>
  call.then(
    ({ decision }) => ({ verified: decision.verified_by }),
    (error: unknown) => {
      if (!ChordError.is(error)) throw error;
      const because = error.facts.details?.reason;
      return { refused: error.code, ...(typeof because === 'string' && { because }) };
    },
  );

/** What the audit says of a call, in the words of its outcome. */
export const auditedOutcome = ({
  verified_by,
  refused,
}: Pick<DecisionAttempt, 'verified_by' | 'refused'>): Outcome =>
  refused ? { refused: refused.code } : { verified: verified_by ?? '' };
