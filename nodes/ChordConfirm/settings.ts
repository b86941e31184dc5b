import { ChordError, type ConfirmDecision, type ConnectionSettings, type NewRule } from '../../chord';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readTarget, type TargetSettings } from '../shared/settings/target';
import { readWaiting, readWaitMode } from '../shared/settings/waiting';
import { readStepDecision } from '../shared/stepDecision';
import type { WaitMode } from '../shared/suspend/callSession';

/** What is decided, without the request that it is for. */
type Answer = Pick<ConfirmDecision, 'action' | 'denyReason' | 'editedArguments' | 'editSummary' | 'rule'>;

/** All parameters of one item, the decision read and checked. */
export interface ConfirmSettings {
  target: TargetSettings;
  decision: Omit<ConfirmDecision, 'callId' | 'requestId' | 'fromItem'>;
  waitMode: WaitMode;
}

const nothingMore: Omit<Answer, 'action'> = {
  denyReason: '',
  editedArguments: '',
  editSummary: '',
  rule: null,
};

/** Only what belongs to a denial is read for one: an option for an approval must not fail it, even where it is wrong. */
const denial = (parameters: ParameterReader, reason = ''): Answer => ({
  ...nothingMore,
  action: 'deny',
  denyReason: reason || parameters.text('denyReason').trim(),
});

const readRule = (options: ParameterReader, given: boolean): NewRule | null => {
  const pattern = options.text('rulePattern').trim();
  const scope = options.choice('ruleScope', ['session', 'project', 'user_global']);
  if (pattern) return { pattern, scope };
  if (!given) return null;
  throw new ChordError('invalid_answer', 'A rule scope is set, but no rule pattern.', {
    description: 'Add the option "Rule Pattern", or remove "Rule Scope".',
  });
};

const approval = (parameters: ParameterReader): Answer => {
  const options = parameters.collection('options');
  return {
    ...nothingMore,
    action: 'allow',
    editedArguments: options.json('editedArguments').trim(),
    editSummary: options.text('editSummary').trim(),
    rule: readRule(options, options.raw('ruleScope') !== undefined),
  };
};

const readDecision = (parameters: ParameterReader): Answer => {
  const decision = parameters.choice('decision', ['fromStep', 'allow', 'deny']);
  if (decision === 'allow') return approval(parameters);
  if (decision === 'deny') return denial(parameters);
  const step = readStepDecision(parameters.raw('stepResult'), ['grant', 'deny']);
  return step.decision === 'grant' ? approval(parameters) : denial(parameters, step.reason);
};

/** Reads the node's parameters for one item. */
export const readConfirmSettings = (
  parameters: ParameterReader,
  connection: ConnectionSettings,
): ConfirmSettings => {
  const waitFor = parameters.choice('waitFor', ['nothing', 'turn', 'jobs']);
  const waitOptions = parameters.collection('waitOptions');
  return {
    target: readTarget(parameters, connection),
    waitMode: readWaitMode(waitOptions),
    decision: {
      ...readWaiting(waitFor, waitOptions),
      ...readDecision(parameters),
    },
  };
};
