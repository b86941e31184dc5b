import type { IDataObject } from 'n8n-workflow';
import { finished, useLab } from './LabChord';

jest.setTimeout(90_000);

const start = useLab();

describe('a new session for each execution on the real Chord', () => {
  test('three at once, beside a session that is in use: none sees what another was told', async () => {
    const chord = await start([
      {
        times: 'any',
        when: { last_user: 'My ticket', any: { re: 'Greet me|My ticket[^]*My ticket' } },
        reply: { text: 'I was told more before.' },
      },
      { times: 'any', when: { last_user: 'My ticket' }, reply: { text: 'The first I hear.' } },
      { times: 'any', when: { last_user: 'Greet me' }, reply: { text: 'Hello.' } },
    ]);
    await chord.run('chordSend', {}, { message: 'Greet me.' });
    const items = (
      await Promise.all(
        ['My ticket one.', 'My ticket two.', 'My ticket three.'].map((message) =>
          chord.run('chordSend', {}, { message, sessionOptions: { startMode: 'new' } }),
        ),
      )
    ).map(finished);
    expect(items.map(({ text }) => text)).toEqual(items.map(() => 'The first I hear.'));
    expect(new Set(items.map(({ session }) => (session as IDataObject).id)).size).toBe(3);
  });
});
