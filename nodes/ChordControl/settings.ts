import { ChordError, type ConnectionSettings, type WhenRequestOpen } from '../../chord';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readNamedSession, type NamedSession } from '../shared/settings/session';

/** Every operation, the default first. */
const operations = [
  'getModelPool',
  'setModelPool',
  'listRoles',
  'setRole',
  'cancelTurn',
  'newSession',
  'resumeSession',
  'stopProcess',
  'restartProcess',
  'runShell',
  'compact',
  'loopOff',
  'acknowledgeUnknown',
  'cancelWait',
] as const;

/** One word of {@link operations}. */
export type Operation = (typeof operations)[number];

/** All parameters of one item, checked as far as they can be without Chord. */
export interface ControlSettings {
  operation: Operation;
  session: NamedSession;
  pool: string;
  agent: string;
  role: string;
  sessionId: string;
  executionId: string;
  shellCommand: string;
  force: boolean;
  whenRequestOpen: WhenRequestOpen;
}

/** @throws ChordError `invalid_settings` where the operation needs a value that is empty */
const needed = (operation: Operation, wanted: Operation, value: string, label: string): string => {
  if (operation !== wanted || value !== '') return value;
  throw new ChordError('invalid_settings', `No ${label} is given.`, {
    description: 'Choose one, or check the expression that should provide it.',
  });
};

const shellOf = (operation: Operation, parameters: ParameterReader, allowed: boolean): string => {
  if (operation !== 'runShell') return '';
  if (allowed) return needed(operation, 'runShell', parameters.text('shellCommand').trim(), 'shell command');
  throw new ChordError('command_not_allowed', 'This connection does not allow local shell commands.', {
    description:
      'They bypass all of Chord\'s permission rules. To allow them, turn on "Allow Local Shell" in the credential.',
  });
};

/** Reads the node's parameters for one item. */
export const readControlSettings = (
  parameters: ParameterReader,
  connection: ConnectionSettings,
): ControlSettings => {
  const operation = parameters.choice<Operation>('operation', operations);
  const options = parameters.collection('options');
  return {
    operation,
    session: readNamedSession(parameters, connection),
    pool: needed(operation, 'setModelPool', parameters.locator('pool'), 'model pool'),
    agent: parameters.locator('agent'),
    role: needed(operation, 'setRole', parameters.locator('role'), 'role'),
    executionId: needed(operation, 'cancelWait', parameters.locator('executionId'), 'waiting execution'),
    sessionId: needed(operation, 'resumeSession', parameters.locator('sessionId'), 'session'),
    shellCommand: shellOf(operation, parameters, connection.allowLocalShell),
    force: options.flag('force'),
    whenRequestOpen: options.choice<WhenRequestOpen>('whenRequestOpen', ['fail', 'wait', 'skip', 'dismiss']),
  };
};
