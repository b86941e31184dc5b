import {
  ChordError,
  type AnswerTarget,
  type ConfirmDecision,
  type ConfirmForm,
  type NewRule,
} from '../../chord';
import type { Answering, CallFor } from '../shared/run/answering';
import { formLabels } from '../shared/form/formLabels';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readStepDecision, type Remember } from '../shared/approvalStep/stepDecision';
import { stepText } from '../shared/approvalStep/stepFields';

/** What is decided, without the request that it is for. */
type Answer = Omit<ConfirmDecision, keyof AnswerTarget>;

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
    description: 'Add the option "Rule Pattern" or remove "Rule Scope".',
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

/** What the form gave beside the approval; whether that was offered, the session knows. */
const readForm = (step: unknown, remember: Remember | null): ConfirmForm => ({
  remember,
  rule: stepText(step, formLabels.rule),
  command: stepText(step, formLabels.command),
});

const decisionOf = (parameters: ParameterReader) =>
  parameters.choice('decision', ['fromStep', 'allow', 'deny']);

const readDecision = (parameters: ParameterReader, stepResult: unknown): Answer => {
  const decision = decisionOf(parameters);
  if (decision === 'allow') return approval(parameters);
  if (decision === 'deny') return denial(parameters);
  const step = readStepDecision(stepResult, ['grant', 'deny']);
  return step.decision === 'grant'
    ? { ...approval(parameters), form: readForm(stepResult, step.remember ?? null) }
    : denial(parameters, step.reason);
};

const callFor =
  (decision: Answer): CallFor =>
  (target) => ({ method: 'confirm', request: { ...decision, ...target } });

/** How requests for approval are answered. */
export const confirmAnswering: Answering = {
  kind: 'confirm',
  fromStep: (parameters) => decisionOf(parameters) === 'fromStep',
  read: (parameters, step) => callFor(readDecision(parameters, step)),
  refuse: (denyReason) => callFor({ ...nothingMore, action: 'deny', denyReason }),
};
