import { DurableQuestions } from '../requests/durable/DurableQuestions';
import type { QuestionOwner } from '../requests/durable/contract';
import { Confirms } from '../requests/Confirms';
import { Handoffs, type HandoffDecision } from '../requests/Handoffs';
import { PlainQuestions } from '../requests/PlainQuestions';
import type { QuestionDesk } from '../requests/questions';
import { Images } from '../tools/Images';
import type { Base } from './base';

/** One running Chord: what its agents and commands work with. */
export interface Runtime extends Base {
  confirms: Confirms;
  questions: QuestionDesk;
  handoffs: Handoffs;
  images: Images;
}

/** Whoever goes on when a request has ended after the call that made it: the main agent. */
export interface RequestOwner extends QuestionOwner {
  /** A handoff was decided. */
  handedOff(decision: HandoffDecision): void;
}

/** Adds to the base the requests of that build; none of them calls its owner while it is made. */
export function createRuntime(base: Base, owner: RequestOwner): Runtime {
  return {
    ...base,
    confirms: new Confirms(base),
    questions: base.profile.questions === 'C' ? new DurableQuestions(base, owner) : new PlainQuestions(base),
    handoffs: new Handoffs(base, (decision) => owner.handedOff(decision)),
    images: new Images(base),
  };
}
