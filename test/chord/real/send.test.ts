import type { IDataObject } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import { codeOf } from '../../nodes/support/Scene';
import { until } from '../../support/until';
import { finished, useLab } from './LabChord';

jest.setTimeout(90_000);

const start = useLab();

const asksToTag: Step = {
  when: { last_user: 'Tag it.', last_tool: null },
  reply: { tool_calls: [{ name: 'shell', args: { command: 'git tag one' } }] },
};

describe('Chord Send on the real Chord', () => {
  test('waits for the turn, joined by nobody', async () => {
    const chord = await start('plain');
    const sent = finished(await chord.run('chordSend', {}, { message: 'Say hello to the lab.' }));
    expect(sent).toMatchObject({
      outcome: 'completed',
      turn: { requests: [], tool_calls: { main: 0, subagents: 0 } },
      usage: { input_tokens: expect.any(Number) as number },
    });
    expect(sent.text).not.toBe('');
  });

  test('while a decision is open: refused, skipped, or kept until it was taken', async () => {
    const chord = await start([
      asksToTag,
      { when: { last_user: 'Tag it.' }, reply: { text: 'Tagged.' } },
      { when: { last_user: 'Say hello.' }, reply: { text: 'Hello.' } },
    ]);
    const asked = await chord.ask('Tag it.');
    const hello = async (options: IDataObject) =>
      await chord.run('chordSend', {}, { message: 'Say hello.', options });
    expect(codeOf(await hello({}))).toBe('request_open');
    expect(finished(await hello({ whenRequestOpen: 'skip' }))).toMatchObject({ outcome: 'skipped' });
    expect(await chord.open()).toEqual([asked.request.id]);

    const kept = hello({ whenRequestOpen: 'wait' });
    await until(async () => {
      const { queued_sends: queued } = finished(await chord.run('chordStatus', { on: true }));
      return queued === 1;
    }, 'the message is kept');
    const allowed = await chord.run('chordConfirm', asked, { decision: 'allow', waitFor: 'turn' });
    expect(finished(allowed)).toMatchObject({ text: 'Tagged.' });
    expect(finished(await kept)).toMatchObject({ outcome: 'completed', text: 'Hello.' });
    expect(chord.tagged('one')).toBe(true);
  });

  test('that dismisses an open decision grants nothing, and the decision comes too late', async () => {
    const chord = await start([
      asksToTag,
      { when: { last_user: 'Forget it.' }, reply: { text: 'As you like.' } },
    ]);
    const asked = await chord.ask('Tag it.');
    const sent = await chord.run(
      'chordSend',
      {},
      {
        message: 'Forget it.',
        options: { whenRequestOpen: 'dismiss' },
      },
    );
    expect(finished(sent)).toMatchObject({ text: 'As you like.' });
    const late = await chord.run('chordConfirm', asked, { decision: 'allow' });
    expect(codeOf(late)).toBe('no_longer_pending');
    expect(chord.tagged('one')).toBe(false);
  });

  test('in loop mode: a report is sent back with a reason, the next one is accepted', async () => {
    const chord = await start('loop-done');
    const first = await chord.ask('Tidy the notes file', { options: { loop: true } });
    expect(first).toMatchObject({
      event: 'confirm_request',
      request: { tool: 'done' },
      text: expect.stringContaining('**Completion status**: tidied') as string,
    });
    const { items, error } = await chord.run('chordConfirm', first, {
      stepResult: { data: { Decision: 'Deny', Reason: 'check the spelling too' } },
      waitFor: 'turn',
    });
    expect(error).toBeUndefined();
    const second = items('Node', 1)[0]!.json;
    expect(second).toMatchObject({
      request: { tool: 'done' },
      text: expect.stringContaining('tidied and spell-checked') as string,
      decision: { action: 'deny', request_id: first.request.id },
    });
    const accepted = await chord.run('chordConfirm', second, { decision: 'allow', waitFor: 'turn' });
    expect(finished(accepted)).toMatchObject({
      outcome: 'completed',
      text: 'The notes are nearly tidy.',
      turn: {
        reports: [
          { accepted: false, text: expect.stringContaining('status**: tidied\n') as string },
          { accepted: true, text: expect.stringContaining('tidied and spell-checked') as string },
        ],
      },
    });
    expect(await chord.open()).toEqual([]);
  });
});
