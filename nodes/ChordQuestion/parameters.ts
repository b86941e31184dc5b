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
    description: 'What Chord is answered',
    options: [
      {
        name: 'From Approval Step',
        value: 'fromStep',
        description: `What a person chose or wrote in the step before this node. "${acceptedWords.decline[0]}" declines; no answer is an error.`,
      },
      { name: 'Choose an Option', value: 'options', description: 'One or several of the offered options' },
      { name: 'Decline', value: 'decline', description: 'Refuse to answer' },
      { name: 'Own Words', value: 'text', description: 'An answer that is not among the options' },
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
      'Which options to choose, one a line: their labels, their numbers from 1, or their IDs. An expression may give a list. Several only where the question takes several.',
    displayOptions: { show: { answerMode: ['options'] } },
  },
  {
    displayName: 'Own Words',
    name: 'customText',
    type: 'string',
    typeOptions: { rows: 3 },
    default: '',
    description: 'What to answer instead of an option',
    displayOptions: { show: { answerMode: ['text'] } },
  },
  ...targetParameters('question'),
  ...waitAfterAnswer,
];
