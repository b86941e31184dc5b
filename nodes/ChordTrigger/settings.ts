import {
  ChordError,
  presets,
  type ConnectionSettings,
  type EventFilter,
  type FormOption,
  type Preset,
} from '../../chord';
import { readApprovalForm } from '../shared/settings/approvalForm';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readNamedSession, type NamedSession } from '../shared/settings/session';

/** All parameters of a trigger. */
export interface TriggerSettings {
  session: NamedSession;
  testWith: 'live' | 'sample';
  filter: EventFilter;
  /** Events that the user named one by one; a preset's are not among them. */
  named: string[];
  /** What the forms of requests offer beside the decision. */
  approvalForm?: FormOption[];
  startOnActivation: boolean;
  emitOpenRequests: boolean;
}

const presetNames = ['decisions', 'results', 'essentials', 'chat', 'everything'] as const satisfies Preset[];

const readEvents = (parameters: ParameterReader, named: string[]): EventFilter['events'] => {
  const preset = parameters.choice('preset', [...presetNames, 'custom']);
  const events = preset === 'custom' ? [] : presets[preset];
  if (events === 'all') return 'all';
  const all = [...new Set([...events, ...named])];
  if (all.length > 0) return all;
  throw new ChordError('invalid_settings', 'No event is chosen.', {
    description: 'Choose at least one event or another preset.',
  });
};

/** Reads the node's parameters. */
export const readTriggerSettings = (
  parameters: ParameterReader,
  connection: ConnectionSettings,
): TriggerSettings => {
  const options = parameters.collection('options');
  const custom = parameters.raw('preset') === 'custom' ? parameters.list('events') : [];
  const named = [...custom, ...options.list('extraEvents')];
  return {
    session: readNamedSession(parameters, connection),
    testWith: parameters.choice('testWith', ['live', 'sample']),
    filter: {
      events: readEvents(parameters, named),
      mainAgentOnly: options.flag('mainAgentOnly'),
      includeSuppressed: options.flag('includeSuppressed'),
      toolNames: options.list('toolNames'),
    },
    named,
    ...readApprovalForm(options),
    startOnActivation: options.flag('startOnActivation'),
    emitOpenRequests: options.flag('emitOpenRequests', true),
  };
};
