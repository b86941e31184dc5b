import type { IDataObject } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import { agentFile } from '../../support/agentFile';
import type { Execution } from '../../support/Engine';
import { blockedIn } from './blockedNames';

/** What the model answers where Chord Control is tested. */
export const steps: Step[] = [
  { id: 'slow', times: 'any', when: { last_user: 'slow', last_role: 'user' }, reply: { hang: true } },
  {
    id: 'confirm',
    times: 'any',
    when: { last_user: 'confirm', last_role: 'user' },
    reply: { tool_calls: [{ name: 'shell', args: { command: 'echo one', description: 'for a test' } }] },
  },
  {
    id: 'plan',
    times: 'any',
    when: { last_user: 'plan', last_role: 'user' },
    reply: { text: 'A plan.', tool_calls: [{ name: 'handoff', args: { plan_path: 'plan.md' } }] },
  },
  { id: 'talk', times: 'any', when: { last_role: 'user' }, reply: { text: 'Yes.' } },
  { id: 'after', times: 'any', when: { last_role: 'tool' }, reply: { text: 'Then not.' } },
];

/** Two agents with two model pools each. */
export const files = {
  'agents/builder.yaml': agentFile('builder', 'main', 'standard, thinking'),
  'agents/helper.yaml': agentFile('helper', 'subagent', 'standard, thinking'),
};

/** The item of the operation, whose every field an expression can read, or the error that it gave. */
export const itemOf = ({ items, error }: Execution): IDataObject => {
  if (error) throw error;
  const json = items('Node')[0]?.json ?? {};
  expect(blockedIn(json).filter((way) => !/\barguments$/.test(way))).toEqual([]);
  return json;
};
