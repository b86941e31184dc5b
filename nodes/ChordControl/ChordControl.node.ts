import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { chordConnectionTest } from '../shared/editor/connectionTest';
import { actionDescription } from '../shared/node/description';
import { runItems } from '../shared/run/runItems';
import { controlItem } from './controlItem';
import { searchAgents, searchModelPools, searchRoles, searchSessions, searchWaits } from './lists';
import { controlParameters } from './parameters';

/** Controls a Chord session: models, roles, sessions, its process. */
export class ChordControl implements INodeType {
  description: INodeTypeDescription = {
    ...actionDescription('Chord Control'),
    name: 'chordControl',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    subtitle: '={{ $parameter["operation"] }}',
    description:
      'Controls the Chord coding agent: model pools, roles, sessions, cancelling, stopping and more',
    outputs: [NodeConnectionTypes.Main],
    // An agent must not free itself of its rules.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    properties: controlParameters,
  };

  methods = {
    credentialTest: { chordConnectionTest },
    listSearch: { searchAgents, searchModelPools, searchRoles, searchSessions, searchWaits },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runItems(this, 1, async (itemIndex) => [await controlItem(this, itemIndex)]);
  }
}
