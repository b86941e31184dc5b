import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import { chordConnectionTest } from '../shared/editor/connectionTest';
import { outputNames } from '../shared/items/callOutputs';
import { concurrencyHint, formHint, loopHint } from '../shared/parameters/hints';
import { runResponder } from '../shared/run/runResponder';
import { answerResumeCall, resumeWebhookMethods, resumeWebhooks } from '../shared/suspend/resumeWebhook';
import { confirmParameters } from './parameters';
import { confirmAnswering } from './settings';

/** Answers Chord's request for approval. */
export class ChordConfirm implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Chord Confirm',
    name: 'chordConfirm',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle:
      '={{ { fromStep: "from approval step", allow: "allow", deny: "deny" }[$parameter["decision"]] }}',
    description: 'Allows or denies what the Chord coding agent asked to do (confirm_request)',
    defaults: { name: 'Chord Confirm' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
    outputNames,
    // An agent must not approve itself.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    hints: [loopHint, formHint, concurrencyHint],
    webhooks: resumeWebhooks,
    properties: confirmParameters,
  };

  methods = { credentialTest: { chordConnectionTest } };

  webhookMethods = resumeWebhookMethods;

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await answerResumeCall(this);
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runResponder(this, [confirmAnswering]);
  }
}
