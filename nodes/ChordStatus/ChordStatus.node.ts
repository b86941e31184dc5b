import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { chordConnectionTest } from '../shared/editor/connectionTest';
import { runItems } from '../shared/run/runItems';
import { statusParameters } from './parameters';
import { statusItem } from './statusItem';

/** Tells what Chord is doing, without starting it. */
export class ChordStatus implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Chord Status',
    name: 'chordStatus',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["scope"] === "all" ? "all sessions" : $parameter["sessionName"] }}',
    description: 'Tells what the Chord coding agent is doing, and which requests are open',
    defaults: { name: 'Chord Status' },
    inputs: [NodeConnectionTypes.Main],
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
