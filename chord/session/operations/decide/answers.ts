import { nestsDeeper } from '../../../protocol/depth';
import { randomUUID } from 'node:crypto';
import { ChordError } from '../../../errors';
import { ruleScopes, type Command } from '../../../protocol/commands';
import type {
  ConfirmDecision,
  HandoffDecision,
  HandoffDocument,
  QuestionAnswer,
  QuestionDocument,
  QuestionOption,
} from '../../contract';
import type { Decision } from './Decision';
import type { LedgerEntry } from '../../state/Ledger';
import { readForm } from './readForm';
import { numbered, numberedChoice, offeredPools } from '../../text/choices';
import { checkSize } from '../call/checkSize';
import { fittingOptions, readReply } from './options';

/** Answers are checked against the request and turned into lines here, before anything is written. */

const invalid = (requestId: string, message: string, description: string): ChordError =>
  new ChordError('invalid_answer', message, { requestId, description });

/** A long reason or long arguments can make the line too long. */
function checked(command: Command): Command {
  checkSize(command, 'The answer', 'Shorten the reason or the edited arguments.');
  return command;
}

function checkArguments(requestId: string, edited: string): void {
  let value: unknown;
  try {
    value = JSON.parse(edited);
  } catch (cause) {
    throw invalid(
      requestId,
      `The edited arguments are not valid JSON: ${(cause as Error).message}`,
      'Nothing was sent.',
    );
  }
  if (nestsDeeper(value)) {
    throw invalid(requestId, 'The edited arguments are nested too deeply.', 'Nothing was sent.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(
      requestId,
      'The edited arguments must be a JSON object with the same names as in the request.',
      'Nothing was sent.',
    );
  }
}

/** @throws ChordError `invalid_answer` */
export function confirmDecision(entry: LedgerEntry, decision: ConfirmDecision): Decision {
  const { requestId, action, denyReason, editSummary } = decision;
  // Plain data from outside: a type is no proof. Every word but `allow` would be read as a denial.
  if (!['allow', 'deny'].includes(action)) {
    throw new ChordError('no_decision', 'The decision is neither "allow" nor "deny".', { requestId });
  }
  // What goes with an approval is left out, right or wrong: it must not stand in the way of a denial.
  if (action === 'deny') {
    return {
      action,
      reason: denyReason,
      command: checked({
        type: 'confirm',
        request_id: requestId,
        action,
        ...(denyReason !== '' && { deny_reason: denyReason }),
      }),
    };
  }
  const form = decision.form ? readForm(entry, decision.form) : undefined;
  const editedArguments = form?.editedArguments ?? decision.editedArguments;
  const rule = form?.rule ?? decision.rule;
  if (editedArguments !== '') checkArguments(requestId, editedArguments);
  if (rule && rule.pattern.trim() === '') {
    throw invalid(requestId, 'A rule needs a pattern.', 'Type one such as "git push *", or remove the rule.');
  }
  if (rule && !ruleScopes.includes(rule.scope)) {
    throw invalid(
      requestId,
      `"${String(rule.scope)}" is not a scope for a rule.`,
      `Choose one of: ${ruleScopes.join(', ')}.`,
    );
  }
  return {
    action,
    reason: '',
    command: checked({
      type: 'confirm',
      request_id: requestId,
      action,
      ...(editedArguments !== '' && { final_args_json: editedArguments }),
      ...(editSummary !== '' && { edit_summary: editSummary }),
      ...(rule && { rule_pattern: rule.pattern, rule_scope: rule.scope }),
    }),
  };
}

/** Option id, then exact label, then number; two matches are an error. */
function matchOption(
  { protocol, request }: LedgerEntry,
  question: QuestionDocument,
  answer: string,
): QuestionOption {
  const requestId = request.id;
  const byLabel = protocol !== 'C';
  const [found, ...others] = fittingOptions(question, answer);
  if (found && others.length > 0) {
    throw invalid(requestId, `"${answer}" matches several options.`, 'Answer with a number or an option id.');
  }
  if (found && byLabel && question.options.filter(({ label }) => label === found.label).length > 1) {
    throw invalid(
      requestId,
      `Two options share the label "${found.label}", and this version of Chord accepts labels only.`,
      'Answer in your own words, or decline.',
    );
  }
  if (found) return found;
  const { options } = question;
  const offered = numbered(options.map(({ label }) => label)).join(', ');
  throw invalid(
    requestId,
    `"${answer}" is not one of the options.`,
    `Options: ${offered || 'none; use your own words'}.`,
  );
}

/** @throws ChordError `invalid_answer` */
export function questionAnswer(entry: LedgerEntry, answer: QuestionAnswer): Decision {
  const { requestId, action } = answer;
  const question = entry.request as QuestionDocument;
  if (action === 'decline') {
    if (answer.answers.length > 0 || answer.text !== '' || answer.reply) {
      throw invalid(
        requestId,
        'A question is either answered or declined, not both.',
        'Remove the answer, or do not decline.',
      );
    }
    return decided(entry, 'decline', []);
  }
  const reply = readReply(question, answer.reply ?? '');
  const named = [...answer.answers, ...reply.answers];
  const options = [...new Set(named.map((item) => matchOption(entry, question, item)))];
  const own = answer.text.trim() || reply.text;
  if (options.length === 0 && own === '') {
    throw new ChordError('no_decision', `There is no answer to the question ${requestId}.`, {
      requestId,
      description: 'Choose an option, write your own words, or decline.',
    });
  }
  if (own !== '' && options.length > 0) {
    throw invalid(requestId, 'Give either options or your own words, not both.', 'Remove one of them.');
  }
  if (own !== '' && !question.allows_text) {
    throw invalid(requestId, 'This question does not accept free text.', 'Choose one of its options.');
  }
  if (!question.multiple && options.length > 1) {
    throw invalid(requestId, 'This question accepts only one answer.', 'Choose one option.');
  }
  return own === '' ? decided(entry, 'answer', options) : decided(entry, 'answer', own);
}

function decided(
  entry: LedgerEntry,
  action: 'answer' | 'decline',
  given: QuestionOption[] | string,
): Decision {
  const request_id = entry.request.id;
  const own = typeof given === 'string';
  const byId: Command = {
    type: 'question',
    action,
    operation_id: randomUUID(),
    request_id,
    ...(action === 'answer' && { answers: own ? [given] : given.map((option) => option.id) }),
    ...(own && { custom: true as const }),
  };
  const byLabel: Command = {
    type: 'question',
    request_id,
    answers: own ? [given] : given.map((option) => option.label),
    reason: action === 'answer' ? 'answered' : 'declined',
    cancelled: action === 'decline',
  };
  return { action, reason: '', command: checked(entry.protocol === 'C' ? byId : byLabel) };
}

/** The name among these that was chosen, as it is or as a form shows it. */
const namedBy = (names: readonly string[], choice: string): string | undefined =>
  names.includes(choice) ? choice : names[numberedChoice(names, choice) ?? -1];

/** The agent that carries the plan out: the named one, else the marked default, else the only one. */
function target(
  requestId: string,
  { agents }: HandoffDocument,
  name: string,
): HandoffDocument['agents'][number] {
  const byName = namedBy(
    agents.map((agent) => agent.name),
    name,
  );
  const named = name === '' ? undefined : agents.find((agent) => agent.name === byName);
  const chosen =
    name === ''
      ? (agents.find((agent) => agent.default) ?? (agents.length === 1 ? agents[0] : undefined))
      : named;
  if (chosen) return chosen;
  const offered = agents.map((agent) => agent.name).join(', ');
  throw invalid(
    requestId,
    name === ''
      ? 'It is not clear which agent should carry out the plan.'
      : `Chord did not offer the agent "${name}".`,
    offered === '' ? 'Chord offered none: the plan can only be denied or cancelled.' : `Agents: ${offered}.`,
  );
}

/** @throws ChordError `invalid_answer` */
export function handoffDecision(entry: LedgerEntry, decision: HandoffDecision): Decision {
  const { requestId, action, denyReason } = decision;
  const base = { type: 'handoff', request_id: requestId } as const;
  if (action === 'cancel') return { action, reason: '', command: { ...base, action } };
  if (action === 'deny') {
    const command = checked({
      ...base,
      action,
      ...(denyReason !== '' && { deny_reason: denyReason }),
    });
    return { action, reason: denyReason, command };
  }
  if (!['approve'].includes(action)) {
    throw new ChordError('no_decision', 'The decision is neither "approve", "deny" nor "cancel".', {
      requestId,
    });
  }
  const handoff = entry.request as HandoffDocument;
  const agent = target(requestId, handoff, decision.agent);
  const pool = namedBy(offeredPools(handoff), decision.pool) ?? decision.pool;
  if (pool !== '' && !agent.model_pools.includes(pool)) {
    throw invalid(
      requestId,
      `The agent "${agent.name}" has no model pool "${pool}".`,
      agent.model_pools.length > 0
        ? `It has: ${agent.model_pools.join(', ')}.`
        : 'It has none: leave the model pool empty.',
    );
  }
  return {
    action,
    reason: '',
    command: { ...base, action: 'accept', agent: agent.name, ...(pool !== '' && { pool }) },
  };
}
