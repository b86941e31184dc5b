import type { IDataObject } from 'n8n-workflow';
import { codeOf } from '../../nodes/support/Scene';
import { finished, useLab } from './LabChord';

jest.setTimeout(90_000);

const start = useLab();

const unknownId = 'feedfacefeedfacefeedfacefeedface';
const commit = 'Record a checkpoint commit.';

describe('answers that name the wrong request grant nothing on the real Chord', () => {
  test('wrong ids, wrong kinds and wrong words; then the right ones', async () => {
    const chord = await start('wrong-ids');
    const confirm = await chord.ask(commit);
    const { id } = confirm.request;
    const named = { requestFrom: 'id', requestId: unknownId };
    const answer = async (
      type: 'chordConfirm' | 'chordQuestion' | 'chordHandoff',
      item: IDataObject,
      parameters: IDataObject,
    ) => codeOf(await chord.run(type, item, parameters));
    const lost = { ...confirm, request: { ...confirm.request, id: unknownId } };
    expect(await answer('chordConfirm', confirm, { decision: 'allow', ...named })).toBe('unknown_request');
    expect(await answer('chordConfirm', lost, { decision: 'allow' })).toBe('no_longer_pending');
    expect(await answer('chordConfirm', confirm, { stepResult: { data: { Decision: 'allow_once' } } })).toBe(
      'no_decision',
    );
    expect(await answer('chordQuestion', confirm, { answerMode: 'text', customText: 'Allow' })).toBe(
      'wrong_kind',
    );
    expect(await answer('chordHandoff', confirm, { decision: 'approve' })).toBe('wrong_kind');
    const byId = { requestFrom: 'id', requestId: id };
    expect(await answer('chordHandoff', confirm, { decision: 'approve', ...byId })).toBe('wrong_kind');
    expect(await chord.open()).toEqual([id]);

    const denied = await chord.run('chordConfirm', confirm, { decision: 'deny', waitFor: 'turn' });
    const question = denied.items('Node', 1)[0]!.json as typeof confirm;
    expect(question.request).toMatchObject({ kind: 'question', question: 'Which tea?' });
    const black = { answerMode: 'options', answers: 'Black' };
    expect(await answer('chordQuestion', question, { ...black, ...named })).toBe('unknown_request');
    expect(await answer('chordQuestion', question, { ...black, requestFrom: 'id', requestId: id })).toBe(
      'wrong_kind',
    );
    expect(await answer('chordConfirm', question, { decision: 'allow' })).toBe('wrong_kind');
    expect(await answer('chordConfirm', confirm, { decision: 'allow' })).toBe('already_answered');
    expect(await chord.open()).toEqual([question.request.id]);

    const green = { answerMode: 'options', answers: 'Green', waitFor: 'turn' };
    // The model says this only when Green was chosen.
    expect(finished(await chord.run('chordQuestion', question, green))).toMatchObject({
      text: 'Green it is.',
    });
    expect(chord.commits()).toEqual(['start the tea timer']);
  });

  test('a plan is no approval of another one, and no confirm', async () => {
    const chord = await start('handoff-deny');
    const first = await chord.ask('Plan the oolong support.');
    const handoff = async (item: IDataObject, parameters: IDataObject) =>
      await chord.run('chordHandoff', item, parameters);
    const approve = { decision: 'approve', agent: 'planner' };
    expect(codeOf(await chord.run('chordConfirm', first, { decision: 'allow' }))).toBe('wrong_kind');
    expect(codeOf(await handoff(first, { ...approve, requestFrom: 'id', requestId: unknownId }))).toBe(
      'unknown_request',
    );
    const { items } = await handoff(first, {
      decision: 'deny',
      denyReason: 'add a rollback step',
      waitFor: 'turn',
    });
    const second = items('Node', 1)[0]!.json as typeof first;
    expect(codeOf(await handoff(first, approve))).toBe('already_answered');
    expect(await chord.open()).toEqual([second.request.id]);
    expect(finished(await handoff(second, { decision: 'cancel' }))).toMatchObject({
      decision: { action: 'cancel', request_id: second.request.id },
    });
  });

  test('another session than the one that asked', async () => {
    const chord = await start(
      ['one', 'two'].map((tag) => ({
        when: { last_user: `Tag ${tag}.` },
        reply: { tool_calls: [{ name: 'shell', args: { command: `git tag ${tag}` } }] },
      })),
    );
    const one = await chord.ask('Tag one.');
    const other = { sessionName: 'other' };
    const two = await chord.ask('Tag two.', other);
    const allow = async (item: IDataObject, parameters: IDataObject = {}) =>
      codeOf(await chord.run('chordConfirm', item, { decision: 'allow', ...parameters }));
    const { key } = two.session as { key: string };
    expect(await allow(one, { sessionFrom: 'named', ...other })).toBe('wrong_session');
    expect(await allow(one, { sessionFrom: 'key', sessionKey: key })).toBe('wrong_session');
    expect(
      await allow(one, { sessionFrom: 'key', sessionKey: key, requestFrom: 'id', requestId: one.request.id }),
    ).toBe('unknown_request');
    // The item of one session with the request of the other.
    expect(await allow({ ...one, session: two.session })).toBe('no_longer_pending');
    expect(await allow(one, { sessionFrom: 'named', sessionName: 'never begun' })).toBe('wrong_session');
    expect([await chord.open(), await chord.open(other)]).toEqual([[one.request.id], [two.request.id]]);
    expect([chord.tagged('one'), chord.tagged('two')]).toEqual([false, false]);
  });
});
