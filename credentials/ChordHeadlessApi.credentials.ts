import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/** How and where Chord is started, and what it may touch. The nodes carry its test: it starts a program. */
export class ChordHeadlessApi implements ICredentialType {
  name = 'chordHeadlessApi';

  displayName = 'Chord Headless API';

  icon: Icon = { light: 'file:chord.svg', dark: 'file:chord.dark.svg' };

  documentationUrl = 'https://github.com/n8n-nodes-chord/n8n-nodes-chord#readme';

  properties: INodeProperties[] = [
    {
      displayName:
        'Chord runs on the same computer as n8n, with the rights of the user that runs n8n. Give it a project directory of its own.',
      name: 'notice',
      type: 'notice',
      default: '',
    },
    {
      displayName: 'Project Directory',
      name: 'projectDirectory',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. /home/me/project',
      description: 'The folder that Chord works in, unless a node names another',
    },
    {
      displayName: 'Command',
      name: 'command',
      type: 'string',
      default: 'chord',
      required: true,
      placeholder: 'e.g. /usr/local/bin/chord',
      description: 'The Chord program: its name, if n8n finds it by itself, or its full path',
    },
    {
      displayName: 'Command Arguments',
      name: 'commandArguments',
      type: 'string',
      typeOptions: { rows: 3 },
      default: '',
      description:
        'Put before "headless", one a line. For a command that starts Chord, for example "exec", "my-container" and "chord" with the command "docker".',
    },
    {
      displayName: 'Runs Elsewhere',
      name: 'runsElsewhere',
      type: 'boolean',
      default: false,
      description:
        'Whether the command starts Chord on another computer or in a container. Directories are checked by their text alone then.',
    },
    {
      displayName: 'Command Keeps Words Apart',
      name: 'commandQuotes',
      type: 'boolean',
      default: false,
      displayOptions: { show: { runsElsewhere: [true] } },
      description:
        'Whether the command hands each argument on as it is, as "docker exec" and "kubectl exec" do. Never switch it on for "ssh", which gives them to a shell: directories, worktrees and session IDs with blanks or other signs are refused without it.',
    },
    {
      displayName: 'Allowed Directories',
      name: 'allowedDirectories',
      type: 'string',
      typeOptions: { rows: 3 },
      default: '',
      placeholder: 'e.g. /home/me/projects',
      description:
        'Where nodes may let Chord work, one folder a line. Empty: only in the project directory and below.',
    },
    {
      displayName: 'Environment Variables',
      name: 'environment',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      default: {},
      placeholder: 'Add variable',
      description:
        'Given to Chord, for example the keys of its models. Values that are long, or whose name holds KEY, TOKEN, SECRET, PASS, AUTH or CREDENTIAL, are masked wherever Chord shows them.',
      options: [
        {
          displayName: 'Variable',
          name: 'variables',
          values: [
            {
              displayName: 'Name',
              name: 'name',
              type: 'string',
              default: '',
              placeholder: 'e.g. ANTHROPIC_API_KEY',
            },
            {
              displayName: 'Value',
              name: 'value',
              type: 'string',
              typeOptions: { password: true },
              default: '',
            },
          ],
        },
      ],
    },
    {
      displayName: 'Allow Local Shell',
      name: 'allowLocalShell',
      type: 'boolean',
      default: false,
      description:
        'Whether nodes may run shell commands through Chord. They pass all of its permission rules: nobody is asked.',
    },
    {
      displayName: 'Start Time Limit (Seconds)',
      name: 'startTimeoutSeconds',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 60,
      description: 'How long Chord may take until it is ready. Slow tool servers (MCP) make it take longer.',
    },
    {
      displayName: 'Idle Time Limit (Minutes)',
      name: 'idleTimeoutMinutes',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 30,
      description:
        'When nothing uses Chord for so long, it is stopped and started again when it is needed. 0 means never.',
    },
    {
      displayName: 'Restart After a Crash',
      name: 'restartOnCrash',
      type: 'boolean',
      default: true,
      description: 'Whether to start Chord again when it ends by itself while a workflow uses it',
    },
    {
      displayName: 'n8n Address',
      name: 'n8nAddress',
      type: 'string',
      default: '',
      placeholder: 'e.g. http://127.0.0.1:5678',
      description:
        'Where n8n can be reached from its own machine, to go on with suspended workflows. Empty: found by itself.',
    },
    {
      displayName: 'Keep Arguments in the Audit',
      name: 'auditArguments',
      type: 'boolean',
      default: false,
      description:
        'Whether the list of decisions also keeps what was asked, such as commands and file contents. Otherwise only a fingerprint of it.',
    },
  ];
}
