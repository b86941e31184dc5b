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
import { statusParameters } from './parameters';
import { statusItem } from './statusItem';

/** Shows what Chord is doing, without starting it. */
export class ChordStatus implements INodeType {
  description: INodeTypeDescription = {
    ...actionDescription('Chord Status'),
    name: 'chordStatus',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    subtitle: '={{ $parameter["scope"] === "all" ? "all sessions" : $parameter["sessionName"] }}',
    description: 'Shows what the Chord coding agent is doing and which requests are open',
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    properties: statusParameters,
  };

  methods = { credentialTest: { chordConnectionTest } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runItems(this, 1, async (itemIndex) => [await statusItem(this, itemIndex)]);
  }
}
