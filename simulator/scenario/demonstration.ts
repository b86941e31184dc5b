import type { Scenario } from './scenario';

/**
 * What the agent does when nobody brought a scenario: it asks to run a harmless command, and reports.
 *
 * The words `question` and `plan` in a message show the two other kinds of request. Every step can be used again.
 */
export const demonstration: Scenario = {
  name: 'demonstration',
  description: 'Shows an approval, a question and a plan, with any message and as often as you like.',
  steps: [
    {
      id: 'refused',
      times: 'any',
      when: { last_tool: 'rejected by user', last_role: 'tool' },
      reply: { text: 'Understood, I did not run it. Nothing was changed.' },
    },
    {
      id: 'plan-back',
      times: 'any',
      when: { last_user: 'Handoff rejected:', last_role: 'user' },
      reply: { text: 'Thank you, I will keep that in mind and leave the plan as it is.' },
    },
    {
      id: 'plan-run',
      times: 'any',
      when: { last_user: 'Execute the plan at', last_role: 'user' },
      reply: { text: 'I have gone through the plan. Both steps are done, and nothing needed to be changed.' },
    },
    {
      id: 'plan-written',
      times: 'any',
      when: { last_tool: 'Successfully wrote', last_role: 'tool' },
      reply: {
        text: 'The plan is written. Please decide who carries it out.',
        tool_calls: [{ name: 'handoff', args: { plan_path: '.chord/plans/demonstration.md' } }],
      },
    },
    {
      id: 'plan-exists',
      times: 'any',
      when: { last_tool: 'was not read in this session', last_role: 'tool' },
      reply: {
        text: 'The plan is already there. Please decide who carries it out.',
        tool_calls: [{ name: 'handoff', args: { plan_path: '.chord/plans/demonstration.md' } }],
      },
    },
    {
      id: 'answered',
      times: 'any',
      when: { last_tool: '"selected":', last_role: 'tool' },
      reply: { text: 'Thank you for the answer. I will do it that way.' },
    },
    {
      id: 'unanswered',
      times: 'any',
      when: { last_tool: { re: '^Error: question' }, last_role: 'tool' },
      reply: { text: 'No answer is fine too. I will leave it as it is.' },
    },
    {
      id: 'no-command',
      times: 'any',
      when: { last_tool: { re: '^Error: ' }, last_role: 'tool' },
      reply: { text: 'That did not work here, so I stopped. Nothing was changed.' },
    },
    {
      id: 'ran',
      times: 'any',
      when: { last_role: 'tool' },
      reply: {
        text: 'I looked at the project folder and found nothing that needs a change. The task is finished.',
      },
    },
    {
      id: 'question',
      times: 'any',
      when: { last_user: { re: '\\bquestion', flags: 'i' }, last_role: 'user' },
      reply: {
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
      },
    },
    {
      id: 'plan',
      times: 'any',
      when: { last_user: { re: '\\bplan', flags: 'i' }, last_role: 'user' },
      reply: {
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
      },
    },
    {
      id: 'task',
      times: 'any',
      when: { last_role: 'user' },
      reply: {
        text: 'I will look at the project folder first. May I list its files?',
        tool_calls: [
          { name: 'shell', args: { command: 'ls -la', description: 'list the files of the project' } },
        ],
      },
    },
  ],
};
