import { createHash } from 'node:crypto';
import { finished, Harness } from '../support/Harness';
import type { FakeChord } from '../support/FakeChord';
import { settle } from '../support/promises';

const picture = Buffer.from('a small picture, in two chunks');
const reference = 'artifact:images/sha256-0a.png';
const sha256 = createHash('sha256').update(picture).digest('hex');

const result = (more: object = {}): Record<string, unknown> => ({
  call_id: 'c1',
  agent_id: '',
  status: 'success',
  result: JSON.stringify({ images: [{ reference, sha256, width: 8, height: 8 }] }),
  ...more,
});

function chunk(chord: FakeChord, from: number, to: number, more: object = {}): void {
  chord.reply('image_artifact', {
    reference,
    call_id: 'c1',
    request_id: '',
    agent_id: '',
    mime_type: 'image/png',
    width: 8,
    height: 8,
    size_bytes: picture.length,
    offset: from,
    last: to === picture.length,
    data: picture.subarray(from, to).toString('base64'),
    ...more,
  });
}

async function working() {
  const harness = await Harness.start('d3');
  const call = harness.send('Paint.');
  await settle();
  harness.chord.work();
  return { harness, chord: harness.chord, call };
}

test('an image is published once it is whole, with its bytes, and stands in the turn', async () => {
  const { harness, chord, call } = await working();
  chord.push('image_result', result());
  chunk(chord, 0, 10);
  expect(harness.published('image_result')).toEqual([]);
  chunk(chord, 10, picture.length);
  const image = { reference, call_id: 'c1', mime_type: 'image/png', file: '/images/1' };
  expect(harness.published('image_result')).toMatchObject([{ images: [image], payload: { call_id: 'c1' } }]);
  expect(harness.images).toEqual(new Map([[image.file, picture]]));
  expect(harness.published('image_artifact')).toEqual([]);
  chord.say('Painted.');
  chord.idle();
  expect(finished(await call).turn?.images).toMatchObject([image]);
});

test.each<[string, object]>([
  ['another hash', { data: Buffer.from('A small picture, in two chunks').toString('base64') }],
  ['missing bytes', { data: picture.subarray(0, 5).toString('base64') }],
  ['more bytes than it has', { data: Buffer.concat([picture, picture]).toString('base64') }],
  ['an offset that is outside', { offset: 9999 }],
  ['a negative offset', { offset: -1 }],
  ['a size that no image has', { size_bytes: 40_000_000 }],
  ['a size that is no number of bytes', { size_bytes: 1.5 }],
])('an image with %s is not handed on; its result says so, and the turn warns', async (_, more) => {
  const { harness, chord, call } = await working();
  chord.push('image_result', result());
  chunk(chord, 0, picture.length, more);
  const problem = 'Chord made 1 image, but 1 image arrived damaged.';
  expect(harness.published('image_result')).toMatchObject([
    { summary: problem, reason: problem, payload: { status: 'success' } },
  ]);
  expect(harness.published('image_result')[0]?.images ?? []).toEqual([]);
  chord.say('Painted.');
  chord.idle();
  expect(finished(await call).turn?.warnings).toEqual([problem]);
});

test('an image for which there is no room is not handed on; its result says so', async () => {
  const { harness, chord } = await working();
  harness.noRoom = new Error('ENOSPC');
  chord.push('image_result', result());
  chunk(chord, 0, picture.length);
  const problem = 'Chord made 1 image, but 1 image could not be written to the disk.';
  expect(harness.published('image_result')).toMatchObject([{ reason: problem }]);
  expect(harness.published('image_result')[0]?.images ?? []).toEqual([]);
});

test('no later piece of a damaged image is published as an event, nor one that comes after all', async () => {
  const { harness, chord } = await working();
  chord.push('image_result', result());
  chunk(chord, 0, 10, { offset: -1 });
  chunk(chord, 10, 20);
  chunk(chord, 20, picture.length);
  chord.idle();
  chunk(chord, 0, 10);
  expect(harness.published('image_result')).toHaveLength(1);
  expect(harness.published('image_artifact')).toEqual([]);
});

test.each([
  ['the same piece twice', [0, 0]],
  ['pieces that do not meet', [0, 12]],
])('an image of %s is damaged, though its bytes add up', async (_, offsets) => {
  const { harness, chord } = await working();
  // Without a hash only the pieces tell.
  chord.push('image_result', result({ result: JSON.stringify({ images: [{ reference }] }) }));
  const half = picture.length / 2;
  for (const [index, offset] of offsets.entries()) {
    chunk(chord, index * half, (index + 1) * half, { offset });
  }
  expect(harness.published('image_result')).toMatchObject([
    { reason: expect.stringContaining('damaged') as string },
  ]);
});

test('pieces may come in any order, as long as the last one comes last', async () => {
  const { harness, chord } = await working();
  chord.push('image_result', result());
  chunk(chord, 10, picture.length, { last: false });
  chunk(chord, 0, 10, { last: true });
  expect(harness.published('image_result')).toMatchObject([{ images: [{ file: '/images/1' }] }]);
  expect(harness.images.get('/images/1')).toEqual(picture);
});

test('of two images the good one is handed on, and the other one is reported', async () => {
  const { harness, chord, call } = await working();
  const other = 'artifact:images/sha256-0b.png';
  const images = [{ reference }, { reference: other }];
  chord.push('image_result', result({ result: JSON.stringify({ images }) }));
  chunk(chord, 0, picture.length);
  chord.say('Painted.');
  chord.idle();
  const problem = 'Chord made 2 images, but 1 image did not arrive.';
  expect(harness.published('image_result')).toMatchObject([{ images: [{ reference }], reason: problem }]);
  expect(finished(await call).turn).toMatchObject({ images: [{ reference }], warnings: [problem] });
});

test('a success that names no image says so', async () => {
  const { harness, chord } = await working();
  chord.push('image_result', result({ result: 'no list' }));
  expect(harness.published('image_result')).toMatchObject([
    { summary: 'Chord reports a success but names no image.' },
  ]);
});

test('images that cannot be delivered: both envelopes are published', async () => {
  const { harness, chord } = await working();
  chord.push('image_result', result());
  chord.reply('image_result', result({ delivery_error: 'too large' }));
  expect(harness.published('image_result').map(({ payload }) => payload.delivery_error)).toEqual([
    undefined,
    'too large',
  ]);
});

test.each([
  ['the idle', (chord: FakeChord) => chord.idle()],
  [
    'the end of the process',
    (chord: FakeChord) => chord.transport.exit({ exitCode: 1, signal: null, expected: false }),
  ],
])('a result whose images never come is published with %s', async (_, end) => {
  const { harness, chord } = await working();
  chord.push('image_result', result());
  end(chord);
  expect(harness.published('image_result')).toMatchObject([
    { reason: 'Chord made 1 image, but 1 image did not arrive.' },
  ]);
});

test('a failed image has no images to wait for', async () => {
  const { harness, chord } = await working();
  chord.push('image_result', result({ status: 'error', result: 'The model refused.' }));
  expect(harness.published('image_result')).toMatchObject([{ text: 'The model refused.' }]);
});

test('a chunk that was fetched by somebody passes by', async () => {
  const { harness, chord } = await working();
  chunk(chord, 0, picture.length, { call_id: '', request_id: 'f1' });
  expect(harness.published('image_artifact')).toHaveLength(1);
});
