import type { IExecuteFunctions } from 'n8n-workflow';
import { ChordError, unattributed, type Attribution, type DecisionResult } from '../../../chord';
import type { Answering, CallFor } from './answering';
import { readAttribution } from '../approvalStep/attribution';
import { answerCall, itemParameters } from './execution';
import type { AskedRequest } from './noteRefused';
import { readConnection } from '../settings/connection';
import { readTarget } from '../settings/target';
import { readWaiting, readWaitMode } from '../settings/waiting';
import type { ParameterReader } from '../settings/ParameterReader';
import { callSession } from '../suspend/callSession';
import { isUnanswered, nobodyAnswered, type WhenNoDecision } from '../approvalStep/unanswered';
import { TargetFinder } from '../upstream/TargetFinder';

/** Nothing was decided, knowingly. */
export interface NotDecided {
  /** Why, as a sentence. */
  notDecided: string;
}

/** What the approval step of one item gave. */
interface StepOutcome {
  /** `undefined` when nobody answered. */
  step: unknown;
  /** What to do then; `null` when somebody answered, or when the node itself decides. */
  instead: WhenNoDecision | null;
  attribution: Attribution;
}

const readStep = (parameters: ParameterReader, incoming: unknown): StepOutcome => {
  const step = parameters.raw('stepResult');
  const whenNoDecision = parameters.choice<WhenNoDecision>('whenNoDecision', ['fail', 'deny', 'leave']);
  return isUnanswered(step, incoming)
    ? { step: undefined, instead: whenNoDecision, attribution: unattributed }
    : { step, instead: null, attribution: readAttribution(step) };
};

/** A fixed decision is nobody's answer. */
const fixed: StepOutcome = { step: undefined, instead: null, attribution: unattributed };

const checkResponder = ({ responder }: Attribution): void => {
  if (responder) return;
  throw new ChordError('no_responder', 'The decision does not say who made it.', {
    description:
      'Use a step that identifies the person: Slack with "Capture Responder", Telegram with approval in the chat, or the form with "Your Name". A plain link can be opened by anyone, even by a mail scanner. Or turn "Require Responder" off.',
  });
};

/** A request that needs no answer any more: to refuse it for want of one is no failure then. */
const alreadyClosed = (error: unknown): NotDecided => {
  const closed =
    ChordError.is(error) && (error.code === 'no_longer_pending' || error.code === 'already_answered');
  if (!closed) throw error;
  return { notDecided: `${nobodyAnswered} ${error.message}` };
};

/**
 * Answers the request of one item. Everything is read and checked before anything is written.
 *
 * @param kinds the kinds of requests that the node answers
 * @param onFound called once the request is found, before it is answered
 */
export const answerItem = async (
  context: IExecuteFunctions,
  itemIndex: number,
  kinds: readonly Answering[],
  onFound: (request: AskedRequest) => void,
): Promise<DecisionResult | NotDecided> => {
  const connection = await readConnection(context, itemIndex);
  const parameters = itemParameters(context, itemIndex);
  const choice = readTarget(parameters, connection);
  const waitOptions = parameters.collection('waitOptions');
  const waiting = readWaiting(parameters.choice('waitFor', ['nothing', 'turn', 'jobs']), waitOptions);
  const needsResponder = parameters.flag('requireResponder');
  const { step, instead, attribution } = kinds.every((kind) => kind.fromStep(parameters))
    ? readStep(parameters, context.getInputData()[itemIndex]?.json)
    : fixed;
  if (instead === 'leave') return { notDecided: nobodyAnswered };

  const readAnswer = (answering: Answering): CallFor => {
    if (instead === 'deny') return answering.refuse(nobodyAnswered);
    const callFor = answering.read(parameters, step);
    if (needsResponder) checkResponder(attribution);
    return callFor;
  };
  const call = callSession(context, itemIndex, readWaitMode(waitOptions), async () => {
    const finder = new TargetFinder(context, itemIndex, connection, choice, kinds);
    const { open, answering, ...target } = await finder.find();
    const sessionKey = 'key' in open.address ? open.address.key : '';
    onFound({ kind: answering.kind, id: target.requestId, sessionKey });
    const callFor = readAnswer(answering);
    return {
      open: { ...open, ...answering.open },
      call: callFor({ ...waiting, ...target, ...answerCall(context, itemIndex), attribution }),
    };
  });
  return await (instead === 'deny' ? call.catch(alreadyClosed) : call);
};
