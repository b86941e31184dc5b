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
import { questionParameters } from './parameters';
import { questionAnswering } from './settings';

/** Answers Chord's question. */
export class ChordQuestion implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Chord Question',
    name: 'chordQuestion',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle:
      '={{ { fromStep: "from approval step", options: "choose an option", text: "own words", decline: "decline" }[$parameter["answerMode"]] }}',
    description: 'Answers what the Chord coding agent asked (question_request)',
    defaults: { name: 'Chord Question' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
    outputNames,
    // An agent must not answer what a person was asked.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    hints: [loopHint, formHint, concurrencyHint],
    webhooks: resumeWebhooks,
    properties: questionParameters,
  };

  methods = { credentialTest: { chordConnectionTest } };

  webhookMethods = resumeWebhookMethods;

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await answerResumeCall(this);
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runResponder(this, [questionAnswering]);
  }
}
