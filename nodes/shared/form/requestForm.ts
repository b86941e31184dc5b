import {
  nothingOffered,
  offeredPools,
  type ApprovalOffer,
  type HandoffDocument,
  type QuestionDocument,
  type RequestDocument,
} from '../../../chord';
import { choiceLabels, forReplacement } from './formChoices';
import { declineOption, formLabels, rememberOptions } from './formLabels';

/** One field of an n8n form, as "Define Form: Using JSON" takes it (proved on n8n 2.40). */
export interface FormField {
  fieldLabel: string;
  fieldType: 'dropdown' | 'text' | 'textarea' | 'html';
  requiredField: boolean;
  fieldOptions?: { values: { option: string }[] };
  multiselect?: boolean;
  /** What stands in the field; in a list see {@link filledIn}. */
  defaultValue?: string | [string];
  /** Only shown. */
  html?: string;
  placeholder?: string;
}

const choice = (fieldLabel: string, options: string[], requiredField: boolean): FormField => ({
  fieldLabel,
  fieldType: 'dropdown',
  fieldOptions: { values: options.map((option) => ({ option: forReplacement(option) })) },
  requiredField,
});

const words = (fieldLabel: string, requiredField = false): FormField => ({
  fieldLabel,
  fieldType: 'textarea',
  requiredField,
});

/**
 * A text field with a text in it. n8n writes `<` and `>` of a default as entities and shows those; it leaves them as
 * they are in what is no text, and makes a text of that itself (read and measured, n8n 1.123 and 2.40).
 */
const filledIn = (fieldLabel: string, text: string): FormField => {
  const shown = forReplacement(text);
  return { ...words(fieldLabel), defaultValue: /[<>]/.test(shown) ? [shown] : shown };
};

const wildcardNote: FormField = {
  fieldLabel: 'Note',
  fieldType: 'html',
  requiredField: false,
  html: '<p>In the rule, ? stands for any one character. It also replaces a * of the command, which a rule of Chord cannot express exactly.</p>',
};

const confirmForm = ({ rule, command }: ApprovalOffer): FormField[] => [
  choice(
    formLabels.decision,
    ['Allow', ...(rule === null ? [] : Object.values(rememberOptions)), 'Deny'],
    true,
  ),
  ...(command === null ? [] : [filledIn(formLabels.command, command)]),
  ...(rule === null ? [] : [filledIn(formLabels.rule, rule)]),
  ...(rule?.includes('?') ? [wildcardNote] : []),
  words(formLabels.reason),
];

const questionForm = ({ options, multiple, allows_text: allowsText }: QuestionDocument): FormField[] => {
  const labels = choiceLabels(
    options.map(({ label }) => label),
    [declineOption],
  );
  const answer = choice(formLabels.answer, [...labels, declineOption], !allowsText);
  return [
    multiple ? { ...answer, multiselect: true } : answer,
    ...(allowsText ? [words(formLabels.ownAnswer)] : []),
  ];
};

/** Without an agent that could take the plan there is nothing to approve. */
const handoffForm = ({ agents, plan_error: problem }: HandoffDocument): FormField[] => {
  const names = agents.map(({ name }) => name);
  const pools = offeredPools({ agents });
  return [
    choice(formLabels.decision, agents.length > 0 ? ['Approve', 'Deny', 'Cancel'] : ['Deny', 'Cancel'], true),
    ...(agents.length > 0 ? [choice(formLabels.agent, choiceLabels(names), false)] : []),
    ...(pools.length > 0 ? [choice(formLabels.modelPool, choiceLabels(pools), false)] : []),
    // Only that, in words of ours: the reason itself stands in the texts.
    problem === ''
      ? words(formLabels.reason)
      : { ...words(formLabels.reason), placeholder: 'Note: Chord could not read its plan.' },
  ];
};

const fieldsOf = (request: RequestDocument, offer: ApprovalOffer): FormField[] => {
  switch (request.kind) {
    case 'confirm':
      return confirmForm(offer);
    case 'question':
      return questionForm(request);
    case 'handoff':
      return handoffForm(request);
  }
};

/**
 * The ready-made form of a request: the right choices for any send-and-wait step of n8n.
 *
 * @param offer what it offers beside the decision
 */
export const requestForm = (request: RequestDocument, offer: ApprovalOffer = nothingOffered): FormField[] => [
  ...fieldsOf(request, offer),
  ...(offer.name ? [{ ...words(formLabels.name), fieldType: 'text' as const }] : []),
];
