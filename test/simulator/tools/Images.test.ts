import { createHash } from 'node:crypto';
import { call, scripted } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

const drawing = (args: object) => scripted({ Draw: call('image', args), 'tool: ': { text: 'There.' } });

const whole = (chunks: Record<string, unknown>[]) =>
  Buffer.concat(chunks.map((chunk) => Buffer.from(chunk.data as string, 'base64')));

describe('images', () => {
  it('are told in chunks right behind their result, and can be fetched again', async () => {
    const played = ground.play('d3', drawing({ width: 800, height: 800 }));
    played.send('Draw');
    const { payload } = await played.next('image_result');
    const { images } = JSON.parse(payload.result as string) as {
      images: { reference: string; sha256: string }[];
    };
    await played.next('idle');
    const chunks = played.payloads('image_artifact');
    expect(chunks.map(({ offset, last }) => [offset, last])).toEqual([
      [0, false],
      [384 * 1024, true],
    ]);
    expect(createHash('sha256').update(whole(chunks)).digest('hex')).toBe(images[0]!.sha256);
    expect(chunks[0]).toMatchObject({
      request_id: '',
      call_id: payload.call_id,
      size_bytes: whole(chunks).length,
    });
    played.tell({ type: 'image_artifact', request_id: 'fetch-1', content: images[0]!.reference });
    const fetched = await played.next('image_artifact', { request_id: 'fetch-1', last: true });
    expect(fetched.seq).toBeUndefined();
    expect(fetched.payload.call_id).toBe('');
  });

  it('tell a failure in words', async () => {
    const played = ground.play('d3', drawing({ fail: 'no paint' }));
    played.send('Draw');
    expect((await played.next('image_result')).payload).toMatchObject({
      status: 'error',
      result: 'no paint',
    });
  });

  it('that are unknown are an error, and so is the command where there are none', async () => {
    const played = ground.play('d3', drawing({}));
    played.tell({ type: 'image_artifact', request_id: 'x', content: '' });
    expect((await played.next('error')).payload.message).toMatch(/^Image artifact/);
    const earlier = ground.play('d2', drawing({}));
    earlier.tell({ type: 'image_artifact', request_id: 'x', content: '' });
    expect((await earlier.next('error')).payload.message).toMatch(/^unknown command type/);
  });
});
