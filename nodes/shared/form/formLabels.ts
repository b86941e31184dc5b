/** The labels of all forms. The responders read answers by them, so they stay. */
export const formLabels = {
  decision: 'Decision',
  reason: 'Reason',
  answer: 'Answer',
  ownAnswer: 'Your Own Answer',
  agent: 'Agent',
  modelPool: 'Model Pool',
  rule: 'Rule',
  command: 'Command',
  name: 'Your Name',
} as const;

/** The choice by which a person refuses to answer a question. */
export const declineOption = 'Decline to answer';

/** The choices that also let Chord remember the approval, by where it holds. */
export const rememberOptions = {
  session: 'Allow for This Session',
  project: 'Allow for This Project',
} as const;
