import { isSafeObjectProperty } from 'n8n-workflow';
import { catalog } from '../../../../chord';
import { eventItem } from '../../../../nodes/shared/items/eventItem';
import { failedItem } from '../../../../nodes/shared/errors/nodeError';
import { skippedItem } from '../../../../nodes/shared/items/resultItem';
import { sampleEvent } from '../../../../nodes/ChordTrigger/samples/sampleEvent';
import { blockedIn } from '../../support/blockedNames';
import { FakeSession } from '../../support/FakeSession';

const noBinary = () => Promise.reject(new Error('There is no image.'));

describe('names that n8n’s expressions block', () => {
  test.each(catalog.map(({ name }) => name))(
    '%s has none but the arguments, which are the input too',
    async (name) => {
      const { json } = await eventItem(sampleEvent(name), noBinary);
      expect(blockedIn(json).filter((way) => way !== 'request.arguments')).toEqual([]);
      const request = json.request as Record<string, unknown> | undefined;
      expect(request?.input).toEqual(request?.arguments);
    },
  );

  test('results, skipped items and errors have none', () => {
    const session = new FakeSession('k');
    expect(blockedIn(session.finished('x'))).toEqual([]);
    expect(blockedIn(skippedItem(session.document(), 'x').json)).toEqual([]);
    expect(blockedIn(failedItem(new Error('x'), 0).json)).toEqual([]);
  });

  test('the list is n8n’s own', () => {
    expect(isSafeObjectProperty('arguments')).toBe(false);
    expect(isSafeObjectProperty('input')).toBe(true);
  });
});
