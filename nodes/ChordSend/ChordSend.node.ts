import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import type { SessionDocument } from '../../chord';
import { chordConnectionTest } from '../shared/editor/connectionTest';
import { isTool } from '../shared/run/isTool';
import { callOutputs, outputNames } from '../shared/items/callOutputs';
import { prepareBinaryOf } from '../shared/items/prepareBinary';
import { skippedItem } from '../shared/items/resultItem';
import { concurrencyHint, formHint, loopHint } from '../shared/parameters/hints';
import { runItems } from '../shared/run/runItems';
import { answerResumeCall, resumeWebhookMethods, resumeWebhooks } from '../shared/suspend/resumeWebhook';
import { sendParameters } from './parameters';
import { sendItem } from './sendItem';
import { toolOutputs } from './toolOutput';

/** Gives Chord a task and, usually, waits for its report. */
export class ChordSend implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Chord Send',
    name: 'chordSend',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["message"] }}',
    description: 'Gives the Chord coding agent a task and waits for its report',
    defaults: { name: 'Chord Send' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
    outputNames,
    usableAsTool: true,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    hints: [loopHint, formHint, concurrencyHint],
    webhooks: resumeWebhooks,
    properties: sendParameters,
  };

  methods = { credentialTest: { chordConnectionTest } };

  webhookMethods = resumeWebhookMethods;

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await answerResumeCall(this);
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const prepare = prepareBinaryOf(this);
    const tool = isTool(this);
    let undecided: { request: string; session: SessionDocument } | undefined;
    return await runItems(this, 2, async (itemIndex) => {
      // A message while a request is open would make Chord drop the request, and an error would lose it.
      if (undecided) {
        const reason = `Not sent: an earlier item left request ${undecided.request} open, which a person has to decide first.`;
        return [[skippedItem(undecided.session, reason)]];
      }
      const { result, session } = await sendItem(this, itemIndex);
      if (result.kind === 'needs_decision') {
        undecided = { request: result.events[0]?.request?.id ?? '', session };
      }
      const outputs = await callOutputs(result, prepare);
      return tool ? toolOutputs(outputs) : outputs;
    });
  }
}
