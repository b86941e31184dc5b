import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * Which Chord session a node works in: the same three parameters in every node that names one.
 *
 * @param show when they are shown; always, if left out
 */
export const sessionParameters = (show?: IDisplayOptions['show']): INodeProperties[] => {
  const displayOptions = show && { show };
  return [
    {
      displayName: 'Project Directory',
      name: 'projectDirectory',
      type: 'string',
      default: '',
      placeholder: 'e.g. /home/me/project',
      description: 'The folder that Chord works in. Leave empty for the one in the credential.',
      displayOptions,
    },
    {
      displayName: 'Session Name',
      name: 'sessionName',
      type: 'string',
      default: 'default',
      description:
        'All nodes and workflows that use the same credential, project directory and session name share one conversation with Chord. Use another name for a second, separate conversation.',
      displayOptions,
    },
    {
      displayName: 'Session Options',
      name: 'sessionOptions',
      type: 'collection',
      placeholder: 'Add session option',
      default: {},
      displayOptions,
      options: [
        {
          displayName: 'Session ID',
          name: 'sessionId',
          type: 'string',
          default: '',
          description: 'Which earlier conversation to resume. Only used with the start mode "Resume by ID".',
        },
        {
          displayName: 'Start Mode',
          name: 'startMode',
          type: 'options',
          default: 'continue',
          description:
            'How Chord is started if it does not run yet. If it runs already, "Continue" and "Latest" change nothing.',
          options: [
            {
              name: 'Continue',
              value: 'continue',
              description: 'Go on with the conversation this session had last, or begin one',
            },
            {
              name: 'Latest',
              value: 'latest',
              description: 'Go on with the newest conversation of the project',
            },
            { name: 'New', value: 'new', description: 'Begin a new conversation' },
            {
              name: 'Resume by ID',
              value: 'resume',
              description: 'Go on with the conversation whose ID you give',
            },
          ],
        },
        {
          displayName: 'Worktree',
          name: 'worktree',
          type: 'string',
          default: '',
          description:
            'Name of a git worktree to work in, made if it does not exist, so that the work does not touch the files of the project directory itself',
        },
      ],
    },
  ];
};
