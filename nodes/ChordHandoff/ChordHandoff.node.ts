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
import { searchOfferedAgents, searchOfferedPools } from './offers';
import { handoffParameters } from './parameters';
import { handoffAnswering } from './settings';

/** Decides who carries out Chord's plan, if anybody. */
export class ChordHandoff implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Chord Handoff',
    name: 'chordHandoff',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle:
      '={{ { fromStep: "from approval step", approve: "approve", deny: "deny", cancel: "cancel" }[$parameter["decision"]] }}',
    description: 'Approves, denies or cancels the plan of the Chord coding agent (handoff_request)',
    defaults: { name: 'Chord Handoff' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
    outputNames,
    // An agent must not approve its own plan.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    hints: [loopHint, formHint, concurrencyHint],
    webhooks: resumeWebhooks,
    properties: handoffParameters,
  };

  methods = {
    credentialTest: { chordConnectionTest },
    listSearch: { searchOfferedAgents, searchOfferedPools },
  };

  webhookMethods = resumeWebhookMethods;

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await answerResumeCall(this);
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runResponder(this, [handoffAnswering]);
  }
}
