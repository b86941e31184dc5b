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
      description: 'The folder Chord works in. Leave empty to use the one from the credential.',
      displayOptions,
    },
    {
      displayName: 'Session Name',
      name: 'sessionName',
      type: 'string',
      default: 'default',
      description:
        'All nodes and workflows with the same credential, project directory and session name share one conversation with Chord. Use another name for a separate conversation.',
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
            'How to start Chord if it is not running yet. If it is already running, "Continue" and "Latest" change nothing.',
          options: [
            {
              name: 'Continue',
              value: 'continue',
              description: 'Continue the last conversation of this session, or begin one',
            },
            {
              name: 'Latest',
              value: 'latest',
              description: 'Continue the newest conversation of the project',
            },
            { name: 'New', value: 'new', description: 'Begin a new conversation' },
            {
              name: 'Resume by ID',
              value: 'resume',
              description: 'Continue the conversation with the given ID',
            },
          ],
        },
        {
          displayName: 'Worktree',
          name: 'worktree',
          type: 'string',
          default: '',
          description:
            'Name of a git worktree to work in, created if it does not exist. The files in the project directory itself are then left alone.',
        },
      ],
    },
  ];
};
