import { failure } from '../../../support/promises';
import { FakeChord } from '../../../support/FakeChord';
import { questioning } from '../support/decisions';

describe('durable questions over a restart', () => {
  const restarted = async (prepare: (next: FakeChord) => void) => {
    const { harness } = await questioning('d3');
    harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    const next = new FakeChord('d3');
    prepare(next);
    await harness.attach(next);
    return { harness, next };
  };

  test('asked for by id after the restart, and answered under the id that it had', async () => {
    const { harness, next } = await restarted((chord) => {
      chord.questions = [
        { request_id: 'q1', version: 2, binding_id: 'b2', options: ['Red'], option_ids: ['red'] },
      ];
    });
    expect(next.of('status')[0]?.question_ids).toEqual(['q1']);
    expect(harness.published('question_request')).toHaveLength(1);
    expect((await harness.answer('q1', { answers: ['Red'] })).decision.action).toBe('answer');
  });

  test('one that ended meanwhile is closed by what the status tells', async () => {
    const { harness } = await restarted((chord) => {
      chord.closedQuestions = [{ request_id: 'q1', reason: 'defaulted' }];
    });
    expect(harness.published('request_closed')).toMatchObject([{ reason: 'defaulted' }]);
    expect((await failure(harness.answer('q1', { answers: ['Red'] }))).code).toBe('no_longer_pending');
  });
});
