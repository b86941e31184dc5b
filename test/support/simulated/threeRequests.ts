import type { Scenario, Step } from '../../../simulator/scenario/scenario';
import { planPath } from './SimulatedChord';

/** What a message has to say so that Chord asks. */
export const asks = {
  confirm: 'Write the note.',
  question: 'Ask for the colour.',
  handoff: 'Hand the plan over.',
} as const;

const onMessage = (text: string, name: string, args: unknown): Step => ({
  times: 'any',
  when: { last_user: text, last_role: 'user' },
  reply: { text: '', tool_calls: [{ name, args }] },
});

/** A model that asks each kind of request when it is told to, and is content with whatever comes of it. */
export const threeRequests: Scenario = {
  name: 'three requests',
  steps: [
    onMessage(asks.confirm, 'write', { path: 'note.txt', content: 'a note' }),
    onMessage(asks.question, 'question', {
      questions: [
        {
          header: 'Colour',
          question: 'Which colour?',
          options: [
            { id: 'red', label: 'Red', description: '' },
            { id: 'blue', label: 'Blue', description: '' },
          ],
        },
      ],
    }),
    onMessage(asks.handoff, 'handoff', { plan_path: planPath }),
  ],
  on_unmatched: { text: 'Fine.' },
};
