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
        'Chord runs on the same computer as n8n, with the permissions of the user who runs n8n. Give it a project directory of its own.',
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
      description: 'The folder Chord works in, unless a node sets another one',
    },
    {
      displayName: 'Command',
      name: 'command',
      type: 'string',
      default: 'chord',
      required: true,
      placeholder: 'e.g. /usr/local/bin/chord',
      description: 'The Chord program: its name if n8n can find it, otherwise its full path',
    },
    {
      displayName: 'Command Arguments',
      name: 'commandArguments',
      type: 'string',
      typeOptions: { rows: 3 },
      default: '',
      description:
        'Arguments to put before "headless", one per line. Only needed if another command starts Chord, for example "exec", "my-container" and "chord" with the command "docker".',
    },
    {
      displayName: 'Runs Elsewhere',
      name: 'runsElsewhere',
      type: 'boolean',
      default: false,
      description:
        'Whether the command starts Chord on another computer or in a container. n8n then checks directories by their names only.',
    },
    {
      displayName: 'Command Passes Arguments Unchanged',
      name: 'commandQuotes',
      type: 'boolean',
      default: false,
      displayOptions: { show: { runsElsewhere: [true] } },
      description:
        'Whether the command passes each argument on unchanged, as "docker exec" and "kubectl exec" do. Never turn this on for "ssh", which hands the arguments to a shell. When it is off, directories, worktrees and session IDs with spaces or special characters are refused.',
    },
    {
      displayName: 'Allowed Directories',
      name: 'allowedDirectories',
      type: 'string',
      typeOptions: { rows: 3 },
      default: '',
      placeholder: 'e.g. /home/me/projects',
      description:
        'Where nodes may let Chord work, one folder per line. Leave empty to allow only the project directory and its subfolders.',
    },
    {
      displayName: 'Environment Variables',
      name: 'environment',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      default: {},
      placeholder: 'Add variable',
      description:
        'Variables to set for Chord, such as the API keys of its models. Long values, and values whose name contains KEY, TOKEN, SECRET, PASS, AUTH or CREDENTIAL, are masked wherever Chord shows them.',
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
        'Whether nodes may run shell commands through Chord. They bypass all of its permission rules: nobody is asked.',
    },
    {
      displayName: 'Start Time Limit (Seconds)',
      name: 'startTimeoutSeconds',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 60,
      description: 'How long Chord may take to start. Slow tool servers (MCP) make it take longer.',
    },
    {
      displayName: 'Idle Time Limit (Minutes)',
      name: 'idleTimeoutMinutes',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 30,
      description:
        'How long Chord may sit unused before it is stopped. It starts again when it is needed. 0 means it is never stopped.',
    },
    {
      displayName: 'Restart After a Crash',
      name: 'restartOnCrash',
      type: 'boolean',
      default: true,
      description: 'Whether to start Chord again if it crashes while a workflow uses it',
    },
    {
      displayName: 'n8n Address',
      name: 'n8nAddress',
      type: 'string',
      default: '',
      placeholder: 'e.g. http://127.0.0.1:5678',
      description:
        'Where n8n can be reached from its own machine, to resume suspended workflows. Leave empty to detect it automatically.',
    },
    {
      displayName: 'Keep Arguments in the Audit',
      name: 'auditArguments',
      type: 'boolean',
      default: false,
      description:
        'Whether the list of decisions also keeps what Chord asked for, such as commands and file contents. When it is off, only a fingerprint is kept.',
    },
  ];
}
