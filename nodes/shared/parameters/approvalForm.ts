import type { INodeProperties } from 'n8n-workflow';

/** What the forms of requests offer beside the decision; in every node that gives requests out. */
export const approvalFormOption: INodeProperties = {
  displayName: 'Approval Form',
  name: 'approvalForm',
  type: 'multiOptions',
  default: [],
  description: 'What the ready-made form of a request (request.form) offers in addition to the decision',
  options: [
    {
      name: 'Ask for a Name',
      value: 'name',
      description: 'People who answer can give their name. Nobody checks it.',
    },
    {
      name: 'Change the Command',
      value: 'edit',
      description: 'The command can be edited before it is allowed',
    },
    {
      name: 'Remember the Decision',
      value: 'remember',
      description:
        'The same action can be allowed for the session or the project, so that Chord does not ask again. The form shows the rule.',
    },
  ],
};
