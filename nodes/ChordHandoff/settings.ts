import type { AnswerTarget, HandoffDecision } from '../../chord';
import type { Answering, CallFor } from '../shared/run/answering';
import { formLabels } from '../shared/form/formLabels';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import type { StepDecision } from '../shared/approvalStep/acceptedWords';
import { readStepDecision } from '../shared/approvalStep/stepDecision';
import { stepField } from '../shared/approvalStep/stepFields';

/** What is decided, without the request that it is for. */
type Decision = Omit<HandoffDecision, keyof AnswerTarget>;

const actions = { grant: 'approve', deny: 'deny', cancel: 'cancel' } as const satisfies Record<
  StepDecision,
  HandoffDecision['action']
>;

/** Only what belongs to the action is read: an agent or a pool that is wrong must not fail a denial. */
const decide = (
  parameters: ParameterReader,
  action: HandoffDecision['action'],
  step: unknown,
  reason = '',
): Decision => {
  const approved = action === 'approve';
  return {
    action,
    agent: approved ? stepField(step, formLabels.agent) || parameters.locator('agent') : '',
    pool: approved ? stepField(step, formLabels.modelPool) || parameters.locator('pool') : '',
    denyReason: action === 'deny' ? reason || parameters.text('denyReason').trim() : '',
  };
};

const decisionOf = (parameters: ParameterReader) =>
  parameters.choice('decision', ['fromStep', 'approve', 'deny', 'cancel']);

const readDecision = (parameters: ParameterReader, step: unknown): Decision => {
  const decision = decisionOf(parameters);
  if (decision !== 'fromStep') return decide(parameters, decision, undefined);
  const { decision: meaning, reason } = readStepDecision(step, ['grant', 'deny', 'cancel']);
  return decide(parameters, actions[meaning], step, reason);
};

const callFor =
  (decision: Decision): CallFor =>
  (target) => ({ method: 'handoff', request: { ...decision, ...target } });

/** How plans are answered. */
export const handoffAnswering: Answering = {
  kind: 'handoff',
  fromStep: (parameters) => decisionOf(parameters) === 'fromStep',
  read: (parameters, step) => callFor(readDecision(parameters, step)),
  refuse: (denyReason) => callFor({ action: 'deny', agent: '', pool: '', denyReason }),
};
