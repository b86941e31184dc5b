import {
  NodeConnectionTypes,
  type INodeType,
  type INodeTypeDescription,
  type ITriggerFunctions,
  type ITriggerResponse,
} from 'n8n-workflow';
import { chordConnectionTest } from '../shared/editor/connectionTest';
import { eventItem } from '../shared/items/eventItem';
import { prepareBinaryOf } from '../shared/items/prepareBinary';
import { nodeError } from '../shared/errors/nodeError';
import { formHint } from '../shared/parameters/hints';
import { readConnection } from '../shared/settings/connection';
import { ParameterReader } from '../shared/settings/ParameterReader';
import { Listening } from './Listening';
import { triggerParameters } from './parameters';
import { sampleOffer } from './samples/requests';
import { sampleEvent } from './samples/sampleEvent';
import { readTriggerSettings, type TriggerSettings } from './settings';

/** What "Test step" gives with `testWith: sample`: the first chosen event, without opening Chord. */
const sampleResponse = (
  context: ITriggerFunctions,
  { filter, approvalForm = [] }: TriggerSettings,
): ITriggerResponse => ({
  manualTriggerFunction: async () => {
    const event = sampleEvent(
      filter.events === 'all' ? 'confirm_request' : (filter.events[0] ?? 'confirm_request'),
    );
    const offer = sampleOffer(event, approvalForm);
    context.emit([[await eventItem({ ...event, offer }, prepareBinaryOf(context))]]);
  },
});

const listen = async (context: ITriggerFunctions): Promise<ITriggerResponse> => {
  const connection = await readConnection(context);
  const parameters = new ParameterReader((name, fallback): unknown =>
    context.getNodeParameter(name, fallback),
  );
  const settings = readTriggerSettings(parameters, connection);
  const manual = context.getMode() === 'manual';
  if (manual && settings.testWith === 'sample') return sampleResponse(context, settings);
  const listening = new Listening(context, settings, connection);
  await listening.start();
  return {
    closeFunction: () => listening.close(),
    ...(manual && {
      manualTriggerFunction: async () => {
        listening.ready();
      },
    }),
  };
};

/** Starts a workflow when something happens in Chord. */
export class ChordTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Chord Trigger',
    name: 'chordTrigger',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle:
      '={{ { decisions: "requests for a decision", results: "results", essentials: "essentials", chat: "chat", everything: "everything", custom: "chosen events" }[$parameter["preset"]] }}',
    description: 'Starts the workflow when the Chord coding agent asks, reports or finishes something',
    eventTriggerDescription: 'Waiting for Chord',
    activationMessage: 'Chord can now start this workflow.',
    defaults: { name: 'Chord Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    hints: [formHint],
    triggerPanel: {
      header: '',
      executionsHelp: {
        inactive:
          'Press <b>Test step</b>, then let Chord do something, or set <b>Test With</b> to a sample. To have Chord start this workflow automatically, activate it.',
        active:
          'Press <b>Test step</b>, then let Chord do something. Runs that Chord starts automatically appear in the list of executions.',
      },
      activationHint: 'Activate the workflow to have Chord start it automatically.',
    },
    properties: triggerParameters,
  };

  methods = { credentialTest: { chordConnectionTest } };

  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    try {
      return await listen(this);
    } catch (error) {
      throw nodeError(this.getNode(), error);
    }
  }
}
