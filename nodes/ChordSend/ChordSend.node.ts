import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import type { SessionDocument } from '../../chord';
import { isTool } from '../shared/run/isTool';
import { callOutputs } from '../shared/items/callOutputs';
import { prepareBinaryOf } from '../shared/items/prepareBinary';
import { skippedItem } from '../shared/items/resultItem';
import { waitingDescription } from '../shared/node/description';
import { WaitingNode } from '../shared/node/WaitingNode';
import { runItems } from '../shared/run/runItems';
import { sendParameters } from './parameters';
import { sendItem } from './sendItem';
import { toolOutputs } from './toolOutput';

/** Gives Chord a task and, usually, waits for its report. */
export class ChordSend extends WaitingNode implements INodeType {
  description: INodeTypeDescription = {
    ...waitingDescription('Chord Send'),
    name: 'chordSend',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    subtitle: '={{ $parameter["message"] }}',
    description: 'Gives the Chord coding agent a task and waits for its report',
    usableAsTool: true,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    properties: sendParameters,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const prepare = prepareBinaryOf(this);
    const tool = isTool(this);
    let undecided: { request: string; session: SessionDocument } | undefined;
    return await runItems(this, 2, async (itemIndex) => {
      // A message while a request is open would make Chord drop the request, and an error would lose it.
      if (undecided) {
        const reason = `Not sent: an earlier item left request ${undecided.request} open, and a person must decide it first.`;
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
