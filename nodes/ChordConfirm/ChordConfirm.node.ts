import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { waitingDescription } from '../shared/node/description';
import { WaitingNode } from '../shared/node/WaitingNode';
import { runResponder } from '../shared/run/runResponder';
import { confirmParameters } from './parameters';
import { confirmAnswering } from './settings';

/** Answers Chord's request for approval. */
export class ChordConfirm extends WaitingNode implements INodeType {
  description: INodeTypeDescription = {
    ...waitingDescription('Chord Confirm'),
    name: 'chordConfirm',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    subtitle:
      '={{ { fromStep: "from approval step", allow: "allow", deny: "deny" }[$parameter["decision"]] }}',
    description: 'Allows or denies what the Chord coding agent asked to do (confirm_request)',
    // An agent must not approve itself.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    properties: confirmParameters,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runResponder(this, [confirmAnswering]);
  }
}
