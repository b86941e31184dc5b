import type { ConnectionSettings, HandoffDecision } from '../../chord';
import { formLabels } from '../shared/requestForm';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readTarget, type TargetSettings } from '../shared/settings/target';
import { readWaiting, readWaitMode } from '../shared/settings/waiting';
import { readStepDecision, stepField, type StepDecision } from '../shared/stepDecision';
import type { WaitMode } from '../shared/suspend/callSession';

/** What is decided, without the request that it is for. */
type Decision = Pick<HandoffDecision, 'action' | 'agent' | 'pool' | 'denyReason'>;

/** All parameters of one item, the decision read. */
export interface HandoffSettings {
  target: TargetSettings;
  decision: Omit<HandoffDecision, 'callId' | 'requestId' | 'fromItem'>;
  waitMode: WaitMode;
}

const actions = { grant: 'approve', deny: 'deny', cancel: 'cancel' } as const satisfies Record<
  StepDecision,
  HandoffDecision['action']
>;

/** Only what belongs to the action: an agent beside a denial means nothing. */
const decide = (action: HandoffDecision['action'], details: Omit<Decision, 'action'>): Decision => ({
  action,
  agent: action === 'approve' ? details.agent : '',
  pool: action === 'approve' ? details.pool : '',
  denyReason: action === 'deny' ? details.denyReason : '',
});

const readDecision = (parameters: ParameterReader): Decision => {
  const decision = parameters.choice('decision', ['fromStep', 'approve', 'deny', 'cancel']);
  const details = {
    agent: parameters.locator('agent'),
    pool: parameters.locator('pool'),
    denyReason: parameters.text('denyReason').trim(),
  };
  if (decision !== 'fromStep') return decide(decision, details);
  const step: unknown = parameters.raw('stepResult');
  const { decision: meaning, reason } = readStepDecision(step, ['grant', 'deny', 'cancel']);
  return decide(actions[meaning], {
    agent: stepField(step, formLabels.agent) || details.agent,
    pool: stepField(step, formLabels.modelPool) || details.pool,
    denyReason: reason || details.denyReason,
  });
};

/** Reads the node's parameters for one item. */
export const readHandoffSettings = (
  parameters: ParameterReader,
  connection: ConnectionSettings,
): HandoffSettings => {
  const waitFor = parameters.choice('waitFor', ['nothing', 'turn', 'jobs']);
  const waitOptions = parameters.collection('waitOptions');
  return {
    target: readTarget(parameters, connection),
    waitMode: readWaitMode(waitOptions),
    decision: { ...readWaiting(waitFor, waitOptions), ...readDecision(parameters) },
  };
};
