import { failure, isWaiting } from '../../support/promises';
import { finished, handedOut } from '../../support/Harness';
import { sent } from '../support/turns';

describe('background jobs', () => {
  test('are waited for, with all that they bring', async () => {
    const { call, chord } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.work();
    chord.say('The job runs.');
    chord.runningJobs = 1;
    chord.idle();
    expect(await isWaiting(call)).toBe(true);
    chord.push('background_result', { session_id: 'S1', content: 'Built.' });
    chord.work();
    chord.say('The job is ready.');
    chord.runningJobs = 0;
    chord.idle();
    expect(finished(await call)).toMatchObject({
      text: 'The job is ready.',
      turn: {
        background_results: ['Built.'],
        messages: [{ text: 'The job runs.' }, { text: 'The job is ready.' }],
        running_jobs: 0,
      },
    });
  });

  test('a turn without jobs is over at once', async () => {
    const { call, chord } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.turn('No job.');
    expect(finished(await call).text).toBe('No job.');
  });

  test('a job that ends without a turn of its own ends the wait', async () => {
    const { call, chord } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.work();
    chord.runningJobs = 1;
    chord.say('The job runs.');
    chord.idle();
    chord.runningJobs = 0;
    chord.idle('', { suppress_user_notification: true });
    expect(finished(await call).text).toBe('The job runs.');
  });

  test('a request that a job’s turn brings is handed out too', async () => {
    const { call, chord } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.work();
    chord.runningJobs = 1;
    chord.idle();
    chord.work();
    chord.confirmRequest('r1');
    expect(handedOut(await call)).toEqual(['r1']);
  });

  test('the time limit carries the finished turn', async () => {
    const { call, chord, harness } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.work();
    chord.say('The job runs.');
    chord.runningJobs = 1;
    chord.idle();
    await harness.clock.advance(60_000);
    const error = await failure(call);
    expect(error.code).toBe('timeout');
    expect(error.facts.details).toMatchObject({
      written: true,
      turn: { messages: [{ text: 'The job runs.' }] },
    });
  });

  test.each([
    ['d2', 0, 'invalid_settings'],
    ['d1', 60_000, 'not_supported'],
  ] as const)('on %s with a limit of %i ms: %s', async (profile, timeoutMs, code) => {
    const { call, chord } = await sent(profile, { waitFor: 'jobs', timeoutMs });
    expect((await failure(call)).code).toBe(code);
    expect(chord.messages).toEqual([]);
  });
});
