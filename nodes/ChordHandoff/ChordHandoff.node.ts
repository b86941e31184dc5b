import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { chordConnectionTest } from '../shared/editor/connectionTest';
import { waitingDescription } from '../shared/node/description';
import { WaitingNode } from '../shared/node/WaitingNode';
import { runResponder } from '../shared/run/runResponder';
import { searchOfferedAgents, searchOfferedPools } from './offers';
import { handoffParameters } from './parameters';
import { handoffAnswering } from './settings';

/** Decides who carries out Chord's plan, if anybody. */
export class ChordHandoff extends WaitingNode implements INodeType {
  description: INodeTypeDescription = {
    ...waitingDescription('Chord Handoff'),
    name: 'chordHandoff',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    subtitle:
      '={{ { fromStep: "from approval step", approve: "approve", deny: "deny", cancel: "cancel" }[$parameter["decision"]] }}',
    description: 'Approves, denies or cancels a plan from the Chord coding agent (handoff_request)',
    // An agent must not approve its own plan.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    properties: handoffParameters,
  };

  override methods = {
    credentialTest: { chordConnectionTest },
    listSearch: { searchOfferedAgents, searchOfferedPools },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runResponder(this, [handoffAnswering]);
  }
}
