import { ChordError } from '../../chord';
import { formLabels } from './requestForm';

/** What a person decided in an approval step. */
export type StepDecision = 'grant' | 'deny' | 'cancel';

/** A decision, and the reason that was written beside it. */
export interface StepResult {
  decision: StepDecision;
  reason: string;
}

/** Every word that decides something. All others decide nothing, and nothing is never an approval. */
const meanings: Readonly<Record<string, StepDecision>> = {
  true: 'grant',
  allow: 'grant',
  approve: 'grant',
  false: 'deny',
  deny: 'deny',
  cancel: 'cancel',
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The places of a step's result that can hold a decision; nothing else of the item is read. */
const candidates = (step: unknown): unknown[] => {
  if (!isRecord(step)) return [step];
  const data = isRecord(step.data) ? step.data : {};
  return [data.approved, data[formLabels.decision], step[formLabels.decision], data.text];
};

const meaningOf = (value: unknown): StepDecision | undefined => {
  if (typeof value !== 'string' && typeof value !== 'boolean') return undefined;
  const word = String(value).trim().toLowerCase();
  return Object.hasOwn(meanings, word) ? meanings[word] : undefined;
};

/** A field that a form puts beside the decision: `data.<label>`, or `<label>` itself. Empty where it is missing. */
export const stepField = (step: unknown, label: string): string => {
  if (!isRecord(step)) return '';
  const data = isRecord(step.data) ? step.data : {};
  const value = [data[label], step[label]].find((entry) => !isEmpty(entry));
  return typeof value === 'string' ? value.trim() : '';
};

const noDecision = (message: string, description: string) =>
  new ChordError('no_decision', message, { description });

/** How a value is named in an error: short, and never a whole document. */
const shown = (value: unknown): string =>
  typeof value === 'object' ? 'a list or object' : `"${String(value).slice(0, 60)}"`;

/**
 * Reads what a send-and-wait step or a form gave.
 *
 * @param step the step's result, usually the incoming item
 * @param accepted the decisions that this kind of request knows; another one counts as none
 * @throws ChordError `no_decision` if there is no decision, an unknown word, or two that differ
 */
export const readStepDecision = (step: unknown, accepted: readonly StepDecision[]): StepResult => {
  const given = candidates(step).filter((value) => !isEmpty(value));
  if (given.length === 0) {
    throw noDecision(
      'The approval step gave no decision.',
      'Connect this node behind a step that asks a person and waits, with the form from request.form or with approve buttons. Without an answer nothing is approved.',
    );
  }
  const meaningsGiven = given.map((value) => ({ value, meaning: meaningOf(value) }));
  const unknown = meaningsGiven.find(({ meaning }) => meaning === undefined || !accepted.includes(meaning));
  if (unknown) {
    throw noDecision(
      `The approval step answered ${shown(unknown.value)}, which is no decision here.`,
      'Understood are true, Allow and Approve, and false and Deny; for a handoff also Cancel.',
    );
  }
  const [first, ...others] = meaningsGiven.map(({ meaning }) => meaning);
  if (first === undefined || others.some((meaning) => meaning !== first)) {
    throw noDecision(
      'The approval step gave two decisions that contradict each other.',
      'Let only one field decide: data.approved, data.Decision, Decision or data.text.',
    );
  }
  return { decision: first, reason: stepField(step, formLabels.reason) };
};
