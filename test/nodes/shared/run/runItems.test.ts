import { ChordError } from '../../../../chord/errors';
import { useBench } from '../../support/bench';
import { sendFlow } from '../../support/flow';

const bench = useBench();

const { session } = bench;

const run = (...flow: Parameters<typeof sendFlow>) => bench.engine.execute(sendFlow(...flow), 'Start');

describe('the registry learns that a run has come to its end, so that nothing of it is kept', () => {
  const ended = ['1/id of Send/0'];
  const fails = () => {
    throw new ChordError('turn_failed', 'Chord has failed.');
  };

  it('once, after the last item', async () => {
    await run([{ task: 'one' }, { task: 'two' }]);
    expect(bench.registry.ended).toEqual(ended);
  });

  it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
    'when it failed, with "%s"',
    async (onError) => {
      session().onSend = fails;
      await run([{ task: 'one' }], undefined, { onError });
      expect(bench.registry.ended).toEqual(ended);
    },
  );

  it('not before n8n has tried for the last time', async () => {
    session().onSend = fails;
    await run([{ task: 'one' }], undefined, { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 });
    expect(session().sent).toHaveLength(2);
    expect(bench.registry.ended).toEqual([]);
  });

  it('not while it is suspended', async () => {
    let parked = 0;
    Object.assign(bench.registry.waits, { park: async () => void (parked += 1) });
    await run([{ task: 'one' }], { message: 'go', options: { waitMode: 'suspend' } });
    expect([parked, bench.registry.ended]).toEqual([1, []]);
  });
});

describe('a stopped execution', () => {
  it('B55: ends the wait, and works on nothing more', async () => {
    let stop: () => void = () => undefined;
    session().onSend = async () =>
      await new Promise((_resolve, reject) => {
        bench.registry.onCancel = () => reject(new ChordError('interrupted', 'The execution was stopped.'));
        stop();
      });
    const { run: result } = await bench.engine.execute(
      sendFlow([{ task: 'one' }, { task: 'two' }], undefined, { onError: 'continueErrorOutput' }),
      'Start',
      { onStart: (cancel) => void (stop = cancel) },
    );
    expect(result.status).toBe('canceled');
    expect(session().sent.map(({ message }) => message)).toEqual(['one']);
    expect(bench.registry.leases).toBe(0);
  });
});
