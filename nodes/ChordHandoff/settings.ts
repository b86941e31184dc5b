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

const readDecision = (parameters: ParameterReader): Decision => {
  const decision = parameters.choice('decision', ['fromStep', 'approve', 'deny', 'cancel']);
  if (decision !== 'fromStep') return decide(parameters, decision, undefined);
  const step: unknown = parameters.raw('stepResult');
  const { decision: meaning, reason } = readStepDecision(step, ['grant', 'deny', 'cancel']);
  return decide(parameters, actions[meaning], step, reason);
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
