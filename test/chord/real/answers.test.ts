import type { IDataObject } from 'n8n-workflow';
import { codeOf } from '../../nodes/support/Scene';
import { finished, useLab } from './LabChord';

jest.setTimeout(90_000);

const start = useLab();

describe('Chord Question on the real Chord', () => {
  test('an option by the form, and the turn goes on with it', async () => {
    const chord = await start('question-single');
    const asked = await chord.ask('Set the timer.');
    expect(asked.request).toMatchObject({ question: 'Which tea is in the pot?', multiple: false });
    const unknown = await chord.run('chordQuestion', asked, { stepResult: { data: { Answer: 'White' } } });
    expect(codeOf(unknown)).toBe('invalid_answer');
    const answered = await chord.run('chordQuestion', asked, {
      stepResult: { data: { Answer: 'Black' } },
      waitFor: 'turn',
    });
    expect(finished(answered)).toMatchObject({
      outcome: 'completed',
      text: 'Five minutes for black tea.',
      decision: { action: 'answer' },
    });
    const late = await chord.run('chordQuestion', asked, { answerMode: 'options', answers: 'Green' });
    expect(codeOf(late)).toBe('already_answered');
  });

  test('several options, then own words for the second question of the call', async () => {
    const chord = await start('question-multi');
    const first = await chord.ask('Prepare the tray.');
    const { items, error } = await chord.run('chordQuestion', first, {
      answerMode: 'options',
      answers: ['Milk', '3'],
      waitFor: 'turn',
    });
    expect(error).toBeUndefined();
    const second = items('Node', 1)[0]!.json;
    expect(second).toMatchObject({ request: { question: 'Whose tray is it?', options: [] } });
    const done = await chord.run('chordQuestion', second, {
      answerMode: 'text',
      customText: 'Ada',
      waitFor: 'turn',
    });
    expect(finished(done)).toMatchObject({ outcome: 'completed', text: 'Milk and honey for Ada.' });
  });

  test('declined', async () => {
    const chord = await start('question-declined');
    const asked = await chord.ask('Set the timer.');
    const declined = await chord.run('chordQuestion', asked, {
      stepResult: { data: { Answer: 'Decline to answer' } },
      waitFor: 'turn',
    });
    expect(finished(declined)).toMatchObject({
      text: 'Then I will not set a timer.',
      decision: { action: 'decline' },
    });
  });
});

describe('Chord Handoff on the real Chord', () => {
  test('approved twice, with what was offered, and carried out', async () => {
    const chord = await start('handoff-accept');
    const first = await chord.ask('Plan the oolong support.');
    expect(first.request).toMatchObject({ agents: [{ name: 'planner' }] });
    const wrong = await chord.run('chordHandoff', first, { decision: 'approve', agent: 'builder' });
    expect(codeOf(wrong)).toBe('invalid_answer');
    const { items, error } = await chord.run('chordHandoff', first, {
      stepResult: { data: { Decision: 'Approve', Agent: 'planner' } },
      waitFor: 'turn',
    });
    expect(error).toBeUndefined();
    const second = items('Node', 1)[0]!.json;
    expect(second).toMatchObject({ event: 'handoff_request' });
    const done = await chord.run('chordHandoff', second, {
      decision: 'approve',
      agent: 'builder',
      pool: 'beta',
      waitFor: 'turn',
    });
    expect(finished(done)).toMatchObject({
      outcome: 'completed',
      text: 'The plan has been carried out.',
      decision: { action: 'approve' },
    });
  });

  test('denied with a reason, then cancelled', async () => {
    const chord = await start('handoff-deny');
    const first = await chord.ask('Plan the oolong support.');
    const { items, error } = await chord.run('chordHandoff', first, {
      decision: 'deny',
      denyReason: 'Please add a rollback step.',
      waitFor: 'turn',
    });
    expect(error).toBeUndefined();
    const second = items('Node', 1)[0]!.json;
    expect(second).toMatchObject({ event: 'handoff_request', decision: { action: 'deny' } });
    const cancelled = await chord.run('chordHandoff', second, {
      stepResult: { data: { Decision: 'Cancel' } },
      waitFor: 'turn',
    });
    expect(finished(cancelled)).toMatchObject({ decision: { action: 'cancel' } });
  });
});

describe('Chord Control on the real Chord', () => {
  test('model pools, read back', async () => {
    const chord = await start('plain');
    const control = async (operation: string, parameters: IDataObject = {}) =>
      await chord.run('chordControl', { on: true }, { operation, ...parameters });
    expect(finished(await control('setModelPool', { pool: 'beta' }))).toMatchObject({
      current_pool: 'beta',
      agents: expect.arrayContaining([{ name: 'builder', pool: 'beta', fixed: false }]),
    });
    expect(codeOf(await control('setModelPool', { pool: 'gamma' }))).toBe('command_failed');
    expect(codeOf(await control('setModelPool', { pool: 'beta', agent: 'helper' }))).toBe('command_failed');
    expect(finished(await control('setModelPool', { pool: 'alpha', agent: 'helper' }))).toMatchObject({
      agents: expect.arrayContaining([{ name: 'helper', pool: 'alpha', fixed: true }]),
    });
    expect(finished(await control('getModelPool'))).toMatchObject({ current_pool: 'beta' });
    expect(codeOf(await control('listRoles'))).toBe('not_supported');
  });

  test('sessions, loop mode, compaction, a shell, cancelling and stopping', async () => {
    const chord = await start('plain');
    const control = async (operation: string, parameters: IDataObject = {}) =>
      await chord.run('chordControl', { on: true }, { operation, ...parameters });
    const sent = finished(await chord.run('chordSend', {}, { message: 'Say hello to the lab.' }));
    const { id: first } = sent.session as { id: string };
    const begun = finished(await control('newSession'));
    expect(begun).toMatchObject({ previous_session_id: first, outcome: 'done' });
    expect(begun.active_session_id).not.toBe(first);
    expect(codeOf(await control('resumeSession', { sessionId: '19990101000000000' }))).toBe('command_failed');
    expect(finished(await control('resumeSession', { sessionId: first }))).toMatchObject({
      active_session_id: first,
    });
    expect(finished(await control('loopOff'))).toMatchObject({ text: 'Loop disabled.' });
    expect(finished(await control('compact'))).toMatchObject({ text: 'Not enough history to compact.' });
    expect(finished(await control('runShell', { shellCommand: 'echo hello' }))).toMatchObject({
      output: 'hello\n',
      failed: false,
    });
    expect(finished(await control('cancelTurn'))).toMatchObject({ outcome: 'unchanged' });
    expect(finished(await control('stopProcess'))).toMatchObject({ outcome: 'done' });
    const restarted = finished(await control('restartProcess'));
    expect(restarted).toMatchObject({ session: { id: first } });
  });
});
