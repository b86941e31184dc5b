import type { ResultDocument, SessionDocument } from '../contract';
import { resultDocument } from '../turns/resultDocument';
import type { EndedTurn } from '../turns/TurnWaiter';
import type { UsageMeter } from '../turns/UsageMeter';
import type { ActiveSession } from './ActiveSession';

/** What results need of the session around them. */
export interface TurnResultsDeps {
  session(): SessionDocument;
  active: ActiveSession;
  usage: UsageMeter;
}

/** Makes results of finished turns. */
export class TurnResults {
  constructor(private readonly deps: TurnResultsDeps) {}

  /** The turn with what it cost, and the session that it ended in. */
  async result(outcome: EndedTurn): Promise<ResultDocument> {
    const { active, usage } = this.deps;
    await active.find();
    const session = this.deps.session();
    return resultDocument({
      outcome: outcome.end,
      session,
      text: outcome.text,
      ...(outcome.end === 'failed' && { reason: outcome.error }),
      turn: outcome.turn,
      usage: active.isKnown ? await usage.since(outcome.usageBase, session.id) : null,
    });
  }
}
