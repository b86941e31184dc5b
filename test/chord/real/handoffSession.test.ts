import type { IDataObject } from 'n8n-workflow';
import { finished, useLab } from './LabChord';

jest.setTimeout(90_000);

const start = useLab();

/** Writes a plan and hands it off; whoever gets it says so, and so does whoever is asked later. */
const handsOff = [
  {
    id: 'write',
    when: { last_user: 'Plan the oolong support.' },
    reply: {
      tool_calls: [{ name: 'write', args: { path: '.chord/plans/plan-001.md', content: '# Plan\n' } }],
    },
  },
  {
    id: 'hand-off',
    when: { nth: 2 },
    reply: { tool_calls: [{ name: 'handoff', args: { plan_path: '.chord/plans/plan-001.md' } }] },
  },
  { id: 'carry-out', when: { last_user: 'Execute the plan at' }, reply: { text: 'Carried out.' } },
  { id: 'later', when: { last_user: 'And now?', any: 'Carried out.' }, reply: { text: 'It stands.' } },
];

const sessionOf = (item: IDataObject): unknown => (item.session as { id: string }).id;

test('the session that an approved plan opens is found, told and continued after a new start', async () => {
  const chord = await start(handsOff);
  const asked = await chord.ask('Plan the oolong support.');
  const approved = finished(await chord.run('chordHandoff', asked, { decision: 'approve', waitFor: 'turn' }));
  expect(approved).toMatchObject({ outcome: 'completed', text: 'Carried out.' });
  expect(sessionOf(approved)).toMatch(/^\d{17}$/);
  expect(sessionOf(approved)).not.toBe(sessionOf(asked));

  finished(await chord.run('chordControl', { on: true }, { operation: 'stopProcess' }));
  const later = finished(await chord.run('chordSend', {}, { message: 'And now?' }));
  expect(later).toMatchObject({ outcome: 'completed', text: 'It stands.' });
  expect(sessionOf(later)).toBe(sessionOf(approved));
});
