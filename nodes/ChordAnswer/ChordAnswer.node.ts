import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import { confirmAnswering } from '../ChordConfirm/settings';
import { handoffAnswering } from '../ChordHandoff/settings';
import { questionAnswering } from '../ChordQuestion/settings';
import { chordConnectionTest } from '../shared/editor/connectionTest';
import { outputNames } from '../shared/items/callOutputs';
import { concurrencyHint, formHint, loopHint } from '../shared/parameters/hints';
import { runResponder } from '../shared/run/runResponder';
import { answerResumeCall, resumeWebhookMethods, resumeWebhooks } from '../shared/suspend/resumeWebhook';
import { answerParameters } from './parameters';

/** Answers whatever Chord asked: a request for approval, a question, or a plan. */
export class ChordAnswer implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Chord Answer',
    name: 'chordAnswer',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle:
      '={{ { fail: "from approval step", deny: "from approval step, else deny", leave: "from approval step, else leave open" }[$parameter["whenNoDecision"]] }}',
    description:
      'Gives the answer of an approval step to whatever the Chord coding agent asked (confirm_request, question_request, handoff_request)',
    defaults: { name: 'Chord Answer' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
    outputNames,
    // An agent must not answer what a person was asked.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    hints: [loopHint, formHint, concurrencyHint],
    webhooks: resumeWebhooks,
    properties: answerParameters,
  };

  methods = { credentialTest: { chordConnectionTest } };

  webhookMethods = resumeWebhookMethods;

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await answerResumeCall(this);
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runResponder(this, [confirmAnswering, questionAnswering, handoffAnswering]);
  }
}
