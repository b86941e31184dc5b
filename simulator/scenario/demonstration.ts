import type { Condition, Reply, Scenario, Step } from './scenario';

/** A step that can be used again. */
const step = (id: string, when: Record<string, Condition>, reply: Reply): Step => ({
  id,
  times: 'any',
  when,
  reply,
});

/** When the newest message is a tool's result, or a person's, in which something stands. */
const afterTool = (last_tool: Condition) => ({ last_tool, last_role: 'tool' });
const afterUser = (last_user: Condition) => ({ last_user, last_role: 'user' });

const handOff = [{ name: 'handoff', args: { plan_path: '.chord/plans/demonstration.md' } }];

/**
 * What the agent does when nobody brought a scenario: it asks to run a harmless command, and reports.
 *
 * The words `question` and `plan` in a message show the two other kinds of request. Every step can be used again.
 */
export const demonstration: Scenario = {
  name: 'demonstration',
  description: 'Shows an approval, a question and a plan, with any message and as often as you like.',
  steps: [
    step('refused', afterTool('rejected by user'), {
      text: 'Understood, I did not run it. Nothing was changed.',
    }),
    step('plan-back', afterUser('Handoff rejected:'), {
      text: 'Thank you, I will keep that in mind and leave the plan as it is.',
    }),
    step('plan-run', afterUser('Execute the plan at'), {
      text: 'I have gone through the plan. Both steps are done, and nothing needed to be changed.',
    }),
    step('plan-written', afterTool('Successfully wrote'), {
      text: 'The plan is written. Please decide who carries it out.',
      tool_calls: handOff,
    }),
    step('plan-exists', afterTool('was not read in this session'), {
      text: 'The plan is already there. Please decide who carries it out.',
      tool_calls: handOff,
    }),
    step('answered', afterTool('"selected":'), { text: 'Thank you for the answer. I will do it that way.' }),
    step('unanswered', afterTool({ re: '^Error: question' }), {
      text: 'No answer is fine too. I will leave it as it is.',
    }),
    step('no-command', afterTool({ re: '^Error: ' }), {
      text: 'That did not work here, so I stopped. Nothing was changed.',
    }),
    step(
      'ran',
      { last_role: 'tool' },
      {
        text: 'I looked at the project folder and found nothing that needs a change. The task is finished.',
      },
    ),
    step('question', afterUser({ re: '\\bquestion', flags: 'i' }), {
      text: 'I need to know one thing before I go on.',
      tool_calls: [
        {
          name: 'question',
          args: {
            questions: [
              {
                header: 'Pace',
                question: 'How shall I work on this task?',
                options: [
                  { label: 'Carefully', description: 'check everything twice' },
                  { label: 'Quickly', description: 'only what is needed' },
                ],
              },
            ],
          },
        },
      ],
    }),
    step('plan', afterUser({ re: '\\bplan', flags: 'i' }), {
      text: 'I will write a plan first.',
      tool_calls: [
        {
          name: 'write',
          args: {
            path: '.chord/plans/demonstration.md',
            content: '# Plan\n\n1. Look at the project folder.\n2. Report what was found.\n',
          },
        },
      ],
    }),
    step(
      'task',
      { last_role: 'user' },
      {
        text: 'I will look at the project folder first. May I list its files?',
        tool_calls: [
          { name: 'shell', args: { command: 'ls -la', description: 'list the files of the project' } },
        ],
      },
    ),
  ],
};
