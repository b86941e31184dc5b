import type { Step } from '../../../simulator/scenario/scenario';

/** The model's answer to "nobody": a plan is handed off, and there is no agent to carry it out. */
export const planForNobody: Step = {
  id: 'nobody',
  times: 'any',
  when: { last_user: 'nobody', last_role: 'user' },
  reply: {
    text: 'Nobody can do it.',
    emit: [
      {
        type: 'handoff_request',
        payload: { request_id: 'nobody', plan_path: 'plan.md', plan_text: 'x', agents: [] },
      },
    ],
  },
};
