import { ChordError } from '../../../../chord/errors';
import { isAudited } from '../../../../chord';
import { Harness } from '../../support/Harness';
import { failure } from '../../support/promises';

test('a refusal that was told says so itself: to another loaded copy of this package, and when it was copied', async () => {
  const harness = await Harness.start('d2');
  const error = await failure(harness.confirm('nobody asked'));
  expect(harness.tried).toHaveLength(1);
  expect(isAudited(error)).toBe(true);
  expect(isAudited(new ChordError(error.code, 'masked', error.facts))).toBe(true);

  let other: typeof isAudited | undefined;
  await jest.isolateModulesAsync(async () => {
    ({ isAudited: other } = await import('../../../../chord'));
  });
  expect(other).not.toBe(isAudited);
  expect(other?.(error)).toBe(true);
  expect(other?.(new ChordError('no_decision', 'not told'))).toBe(false);
});
