import { ChordError, type ConfirmDecision, type ConnectionSettings, type NewRule } from '../../chord';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readTarget, type TargetSettings } from '../shared/settings/target';
import { readWaiting, readWaitMode } from '../shared/settings/waiting';
import { readStepDecision } from '../shared/stepDecision';
import type { WaitMode } from '../shared/suspend/callSession';

/** All parameters of one item, the decision read and checked. */
export interface ConfirmSettings {
  target: TargetSettings;
  decision: Omit<ConfirmDecision, 'callId' | 'requestId' | 'fromItem'>;
  waitMode: WaitMode;
}

const readDecision = (parameters: ParameterReader): Pick<ConfirmDecision, 'action' | 'denyReason'> => {
  const decision = parameters.choice('decision', ['fromStep', 'allow', 'deny']);
  const denyReason = parameters.text('denyReason').trim();
  if (decision === 'allow') return { action: 'allow', denyReason: '' };
  if (decision === 'deny') return { action: 'deny', denyReason };
  const step = readStepDecision(parameters.raw('stepResult'), ['grant', 'deny']);
  return step.decision === 'grant'
    ? { action: 'allow', denyReason: '' }
    : { action: 'deny', denyReason: step.reason || denyReason };
};

const readRule = (options: ParameterReader, given: boolean): NewRule | null => {
  const pattern = options.text('rulePattern').trim();
  const scope = options.choice('ruleScope', ['session', 'project', 'user_global']);
  if (pattern) return { pattern, scope };
  if (!given) return null;
  throw new ChordError('invalid_answer', 'A rule scope is set, but no rule pattern.', {
    description: 'Add the option "Rule Pattern", or remove "Rule Scope".',
  });
};

/** Reads the node's parameters for one item. */
export const readConfirmSettings = (
  parameters: ParameterReader,
  connection: ConnectionSettings,
): ConfirmSettings => {
  const options = parameters.collection('options');
  const waitFor = parameters.choice('waitFor', ['nothing', 'turn', 'jobs']);
  const waitOptions = parameters.collection('waitOptions');
  return {
    target: readTarget(parameters, connection),
    waitMode: readWaitMode(waitOptions),
    decision: {
      ...readWaiting(waitFor, waitOptions),
      ...readDecision(parameters),
      editedArguments: options.json('editedArguments').trim(),
      editSummary: options.text('editSummary').trim(),
      rule: readRule(options, options.raw('ruleScope') !== undefined),
    },
  };
};
