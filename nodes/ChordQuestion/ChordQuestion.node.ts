import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { waitingDescription } from '../shared/node/description';
import { WaitingNode } from '../shared/node/WaitingNode';
import { runResponder } from '../shared/run/runResponder';
import { questionParameters } from './parameters';
import { questionAnswering } from './settings';

/** Answers Chord's question. */
export class ChordQuestion extends WaitingNode implements INodeType {
  description: INodeTypeDescription = {
    ...waitingDescription('Chord Question'),
    name: 'chordQuestion',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    subtitle:
      '={{ { fromStep: "from approval step", options: "choose an option", text: "own words", decline: "decline" }[$parameter["answerMode"]] }}',
    description: 'Answers a question from the Chord coding agent (question_request)',
    // An agent must not answer what a person was asked.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    properties: questionParameters,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runResponder(this, [questionAnswering]);
  }
}
