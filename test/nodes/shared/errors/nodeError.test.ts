import type { INode } from 'n8n-workflow';
import { ChordError } from '../../../../chord';
import { failedItem, nodeError } from '../../../../nodes/shared/errors/nodeError';

describe('an error that repeats what Chord said', () => {
  const error = new ChordError('turn_failed', 'The turn failed: <img src=x onerror=x>', {
    description: 'It said: &lt;b&gt; \u202e',
    details: { said: '<b>' },
  });

  test('has no markup in what people mail on, as an item and as n8n shows it', () => {
    const words = {
      message: 'The turn failed: \\u{3c}img src=x onerror=x>',
      description: 'It said: \\u{26}lt;b\\u{26}gt; \\u{202e}',
    };
    expect(failedItem(error, 0).json.error).toEqual({ ...words, code: 'turn_failed', said: '<b>' });
    expect(nodeError({ name: 'Send' } as INode, error)).toMatchObject(words);
  });
});
