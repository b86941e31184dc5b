import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { confirmAnswering } from '../ChordConfirm/settings';
import { handoffAnswering } from '../ChordHandoff/settings';
import { questionAnswering } from '../ChordQuestion/settings';
import { waitingDescription } from '../shared/node/description';
import { WaitingNode } from '../shared/node/WaitingNode';
import { runResponder } from '../shared/run/runResponder';
import { answerParameters } from './parameters';

/** Answers whatever Chord asked: a request for approval, a question, or a plan. */
export class ChordAnswer extends WaitingNode implements INodeType {
  description: INodeTypeDescription = {
    ...waitingDescription('Chord Answer'),
    name: 'chordAnswer',
    icon: { light: 'file:chord.svg', dark: 'file:chord.dark.svg' },
    subtitle:
      '={{ { fail: "from approval step", deny: "from approval step, else deny", leave: "from approval step, else leave open" }[$parameter["whenNoDecision"]] }}',
    description:
      'Passes the answer from an approval step to the Chord coding agent, whatever it asked (confirm_request, question_request, handoff_request)',
    // An agent must not answer what a person was asked.
    usableAsTool: undefined,
    credentials: [{ name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' }],
    properties: answerParameters,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runResponder(this, [confirmAnswering, questionAnswering, handoffAnswering]);
  }
}
