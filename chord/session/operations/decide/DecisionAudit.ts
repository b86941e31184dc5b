import { timestamp } from '../../../clock';
import { ChordError } from '../../../errors';
import type { AnswerTarget, RequestKind, DecisionAttempt, VerifiedBy } from '../../contract';
import type { Decision } from './Decision';
import { unattributed } from '../../state/Ledger';
import type { SessionCore } from '../../core/SessionCore';

const refusal = (error: unknown): DecisionAttempt['refused'] =>
  ChordError.is(error)
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: 'A fault of this package.' };

/**
 * Whether an error stands in the audit already. The error itself says so: another loaded copy of this package may ask,
 * and an error is copied where secrets are masked.
 */
export const isAudited = (error: unknown): boolean => ChordError.is(error) && error.facts.audited === true;

/**
 * Reports every decision that is tried to the host: once for each, when it is refused, or when it is proved or its outcome
 * stays unknown.
 */
export class DecisionAudit {
  constructor(
    private readonly core: SessionCore,
    private readonly target: AnswerTarget,
    private readonly kind: RequestKind,
  ) {}

  /** The checks before anything is written: what they refuse is reported. */
  checked<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      this.refused(null, error);
      throw error;
    }
  }

  /** The answer on its way: how it was proved is reported, or why it did not count. */
  delivered(decision: Decision, delivery: Promise<VerifiedBy>): Promise<VerifiedBy> {
    return delivery.then(
      (verified_by) => {
        this.report(decision, { verified_by });
        return verified_by;
      },
      (error: unknown) => {
        this.refused(decision, error);
        throw error;
      },
    );
  }

  private refused(decision: Decision | null, error: unknown): void {
    if (ChordError.is(error)) error.facts.audited = true;
    this.report(decision, { refused: refusal(error) });
  }

  private report(
    decision: Decision | null,
    outcome: Partial<Pick<DecisionAttempt, 'verified_by' | 'refused'>>,
  ): void {
    const { core, target, kind } = this;
    const request = core.state.ledger.get(target.requestId)?.request;
    const command = decision?.command.type === 'confirm' ? decision.command : undefined;
    core.host.onDecisionAttempt({
      at: timestamp(core.clock),
      session_key: core.identity.key,
      session_id: core.state.sessionId,
      request_id: target.requestId,
      kind,
      tool: request?.kind === 'confirm' ? request.tool : null,
      arguments: request?.kind === 'confirm' ? request.arguments : null,
      action: decision?.action ?? null,
      reason: decision?.reason ?? '',
      rule:
        command?.rule_pattern !== undefined && command.rule_scope !== undefined
          ? { pattern: command.rule_pattern, scope: command.rule_scope }
          : null,
      by: target.by ?? null,
      ...unattributed,
      ...target.attribution,
      verified_by: null,
      refused: null,
      ...outcome,
    });
  }
}
