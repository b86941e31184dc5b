import type { IDataObject } from 'n8n-workflow';
import { chordNode, connect, itemsNode, stubNode } from '../../nodes/support/flow';
import { finished, useLab, type LabChord } from './LabChord';

jest.setTimeout(90_000);

const start = useLab();

/** The request's item, an approval step that replaces it by the answer, and Chord Answer. */
const answer = async (chord: LabChord, asked: IDataObject, step: IDataObject) =>
  await chord.execute({
    nodes: [
      itemsNode('Start', [asked]),
      stubNode('Ask', 'test.askPerson', { items: JSON.stringify([step]) }),
      chordNode('Node', 'chordAnswer', { waitFor: 'turn', whenNoDecision: 'deny' }),
    ],
    connections: connect('Start > Ask', 'Ask > Node'),
  });

const tags = [
  {
    when: { last_user: 'Tag it.' },
    reply: { tool_calls: [{ name: 'shell', args: { command: 'git tag one', description: 'x' } }] },
  },
  { reply: { text: 'That is all.' } },
];

describe('Chord Answer on the real Chord', () => {
  test('allows what was asked, and says who allowed it', async () => {
    const chord = await start(tags);
    const asked = await chord.ask('Tag it.');
    const done = await answer(chord, asked, { data: { Decision: 'Allow', 'Your Name': 'Ann' } });
    expect(finished(done)).toMatchObject({
      outcome: 'completed',
      decision: { kind: 'confirm', action: 'allow', responder: { name: 'Ann', claimed: true } },
    });
    expect(chord.tagged('one')).toBe(true);
    const [entry] = (await chord.run('chordStatus', { on: true }, { scope: 'decisions' })).items('Node');
    expect(entry?.json).toMatchObject({ action: 'allow', responder: { name: 'Ann', channel: 'form' } });
  });

  test('answers a question', async () => {
    const chord = await start('question-single');
    const asked = await chord.ask('Set the timer.');
    expect(finished(await answer(chord, asked, { data: { Answer: 'Black' } }))).toMatchObject({
      text: 'Five minutes for black tea.',
      decision: { kind: 'question', action: 'answer' },
    });
  });

  test('approves a plan, and gives out the next one', async () => {
    const chord = await start('handoff-accept');
    const asked = await chord.ask('Plan the oolong support.');
    const { items, error } = await answer(chord, asked, {
      data: { Decision: 'Approve', Agent: 'planner' },
    });
    expect(error).toBeUndefined();
    expect(items('Node', 1)[0]?.json).toMatchObject({
      event: 'handoff_request',
      decision: { kind: 'handoff', action: 'approve' },
    });
  });

  test('refuses a command that nobody answered', async () => {
    const chord = await start(tags);
    const asked = await chord.ask('Tag it.');
    expect(finished(await answer(chord, asked, asked))).toMatchObject({
      text: 'That is all.',
      decision: { action: 'deny', responder: null },
    });
    expect(chord.tagged('one')).toBe(false);
  });

  test('declines a question that nobody answered', async () => {
    const chord = await start('question-declined');
    const asked = await chord.ask('Set the timer.');
    expect(finished(await answer(chord, asked, asked))).toMatchObject({
      text: 'Then I will not set a timer.',
      decision: { action: 'decline' },
    });
  });

  test('sends a plan back that nobody answered', async () => {
    const plan = { plan_path: '.chord/plans/plan-001.md' };
    const chord = await start([
      {
        when: { last_user: 'Plan it.' },
        reply: { tool_calls: [{ name: 'write', args: { path: plan.plan_path, content: '1. Do it.\n' } }] },
      },
      { when: { nth: 2 }, reply: { tool_calls: [{ name: 'handoff', args: plan }] } },
      {
        when: { last_user: ['Handoff rejected:', 'Nobody answered in time.'] },
        reply: { text: 'Then I leave it.' },
      },
    ]);
    const asked = await chord.ask('Plan it.');
    expect(finished(await answer(chord, asked, asked))).toMatchObject({
      text: 'Then I leave it.',
      decision: { kind: 'handoff', action: 'deny' },
    });
  });
});
