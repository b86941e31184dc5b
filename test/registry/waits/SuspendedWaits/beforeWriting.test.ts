import { SuspendedWaits } from '../../../../chord/registry/waits/SuspendedWaits';
import { errorLike, request, start, never, untilRetry } from '../support/waiting';

describe('a call that waits to be written', () => {
  const atOnce = async (waits: SuspendedWaits) =>
    await waits.stillWanted('e1/node/0/0').then(() => 'written');

  test('is written while its execution waits, and n8n is asked once', async () => {
    const { n8n, waits } = start();
    await waits.park(request(), never);
    expect([await atOnce(waits), n8n.asked]).toEqual(['written', 1]);
  });

  test('is written while n8n has not stored yet that the execution waits', async () => {
    const { n8n, waits } = start();
    await waits.park(request(), never);
    for (const said of ['runs', 'elsewhere'] as const) {
      n8n.says = [said];
      expect(await atOnce(waits)).toBe('written');
    }
  });

  test.each(['over', 'runs', 'elsewhere'] as const)(
    'is not written when the execution has been ended since: n8n says "%s"',
    async (said) => {
      const { n8n, waits, clock } = start();
      await waits.park(request(), never);
      await clock.advance(60_000);
      n8n.says = [said];
      await expect(atOnce(waits)).rejects.toThrow(
        errorLike({ code: 'interrupted', facts: expect.objectContaining({ details: { written: false } }) }),
      );
    },
  );

  test('is written once n8n answers, and not at all when it does not within a minute', async () => {
    const { n8n, waits, clock } = start();
    await waits.park(request(), never);
    n8n.says = ['silent', 'silent', 'waits'];
    const first = atOnce(waits);
    await untilRetry(clock);
    await clock.advance(10_000);
    expect(await first).toBe('written');
    n8n.says = ['silent'];
    const second = atOnce(waits).catch((error: unknown) => error);
    await untilRetry(clock);
    await clock.advance(61_000);
    expect(await second).toMatchObject({
      code: 'n8n_unreachable',
      description: expect.stringContaining('n8n Address') as string,
    });
  });

  test('is not written once somebody else has let its execution go on', async () => {
    const { waits } = start();
    await waits.park(request(), never);
    await expect(waits.take('e1/node/0/0')).rejects.toThrow(
      errorLike({ code: 'interrupted', facts: expect.objectContaining({ details: { written: false } }) }),
    );
    await expect(atOnce(waits)).rejects.toThrow(errorLike({ code: 'interrupted' }));
  });

  test('n8n is not asked about a call that is not suspended', async () => {
    const { n8n, waits } = start();
    expect([await atOnce(waits), n8n.asked]).toEqual(['written', 0]);
  });
});
