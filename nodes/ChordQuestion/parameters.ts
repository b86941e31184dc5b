import type { INodeProperties } from 'n8n-workflow';
import { stepParameters, targetParameters } from '../shared/parameters/target';
import { waitAfterAnswer } from '../shared/parameters/waitAfterAnswer';
import { acceptedWords } from '../shared/approvalStep/acceptedWords';

/** All parameters of Chord Question. */
export const questionParameters: INodeProperties[] = [
  {
    displayName: 'Answer',
    name: 'answerMode',
    type: 'options',
    default: 'fromStep',
    description: 'How to answer',
    options: [
      {
        name: 'From Approval Step',
        value: 'fromStep',
        description: `What a person chose or wrote in the step before this node. "${acceptedWords.decline[0]}" declines. No answer is an error.`,
      },
      { name: 'Choose an Option', value: 'options', description: 'One or more of the offered options' },
      { name: 'Decline', value: 'decline', description: 'Refuse to answer' },
      { name: 'Your Own Words', value: 'text', description: 'An answer that is not among the options' },
    ],
  },
  ...stepParameters('question', { answerMode: ['fromStep'] }),
  {
    displayName: 'Options',
    name: 'answers',
    type: 'string',
    typeOptions: { rows: 2 },
    default: '',
    placeholder: 'e.g. Blue',
    description:
      'Which options to choose, one per line: by label, by number (starting at 1) or by ID. An expression can give a list. Choose several only if the question allows it.',
    displayOptions: { show: { answerMode: ['options'] } },
  },
  {
    displayName: 'Your Own Words',
    name: 'customText',
    type: 'string',
    typeOptions: { rows: 3 },
    default: '',
    description: 'The answer to give instead of an option',
    displayOptions: { show: { answerMode: ['text'] } },
  },
  ...targetParameters('question'),
  ...waitAfterAnswer,
];
