import type { Scenario } from '../../../simulator/scenario/scenario';
import type { ProfileName } from '../../../simulator/wire/profile';
import { call, scripted, type Played } from './Played';
import type { Playground } from './playground';

/** A question with two options. */
export const TEA = {
  header: 'Tea',
  question: 'Which tea?',
  options: [
    { id: 'g', label: 'Green', description: 'mild' },
    { id: 'b', label: 'Black', description: 'strong' },
  ],
};

/** A question that is answered in own words. */
export const NAME = { header: 'Name', question: 'Whose cup?' };

/** An agent that asks these questions in one call at the word `Ask`, and says what became of them. */
export const asking = (...questions: object[]): Scenario =>
  scripted({
    Ask: call('question', { questions }),
    'tool: "selected"': { text: 'Thank you.' },
    'tool: Error: question': { text: 'Then not.' },
    'tool: stay open': { text: 'Later.' },
    '[Question result]': { text: 'Got it at last.' },
    '[Question revision]': { text: 'Changed my plan.' },
    Hello: { text: 'Hello.' },
    'Never mind': { text: 'All right.' },
  });

/** An engine that has just asked, and the id of its (first) question. */
export async function asked(
  ground: Playground,
  profile: ProfileName,
  ...questions: object[]
): Promise<{ played: Played; id: string }> {
  const played = ground.play(profile, asking(...questions));
  played.send('Ask');
  const { payload } = await played.next('question_request');
  return { played, id: payload.request_id as string };
}

/** An answer to a durable question, by the ids of options. */
export const answer = (request_id: string, answers: string[], more: object = {}) => ({
  type: 'question',
  action: 'answer',
  operation_id: `op-${request_id}`,
  request_id,
  answers,
  ...more,
});
