import {
  offeredPools,
  type ConfirmDocument,
  type HandoffDocument,
  type QuestionDocument,
  type RequestDocument,
} from '../../chord';
import { choiceLabels, forReplacement } from './formChoices';

/** One field of an n8n form, as "Define Form: Using JSON" takes it (proved on n8n 2.40). */
export interface FormField {
  fieldLabel: string;
  fieldType: 'dropdown' | 'textarea';
  requiredField: boolean;
  fieldOptions?: { values: { option: string }[] };
  multiselect?: boolean;
}

/** The labels of all forms. The responders read answers by them, so they stay. */
export const formLabels = {
  decision: 'Decision',
  reason: 'Reason',
  answer: 'Answer',
  ownAnswer: 'Your Own Answer',
  agent: 'Agent',
  modelPool: 'Model Pool',
  name: 'Your Name',
} as const;

/** The choice by which a person refuses to answer a question. */
export const declineOption = 'Decline to answer';

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

const confirmForm = (_request: ConfirmDocument): FormField[] => [
  choice(formLabels.decision, ['Allow', 'Deny'], true),
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
const handoffForm = ({ agents }: HandoffDocument): FormField[] => {
  const names = agents.map(({ name }) => name);
  const pools = offeredPools({ agents });
  return [
    choice(formLabels.decision, agents.length > 0 ? ['Approve', 'Deny', 'Cancel'] : ['Deny', 'Cancel'], true),
    ...(agents.length > 0 ? [choice(formLabels.agent, choiceLabels(names), false)] : []),
    ...(pools.length > 0 ? [choice(formLabels.modelPool, choiceLabels(pools), false)] : []),
    words(formLabels.reason),
  ];
};

/** The ready-made form of a request: the right choices for any send-and-wait step of n8n. */
export const requestForm = (request: RequestDocument): FormField[] => {
  switch (request.kind) {
    case 'confirm':
      return confirmForm(request);
    case 'question':
      return questionForm(request);
    case 'handoff':
      return handoffForm(request);
  }
};
