import { createHash } from 'node:crypto';
import { z } from 'zod/v4';
import type { Envelope, PayloadOf, Reading } from '../protocol/envelopes';
import { text } from '../protocol/fields';
import type { ImageDocument } from './contract';

/** The list inside `image_result.result`, which is JSON as text on success. */
const resultList = z.looseObject({
  images: z.array(z.looseObject({ reference: text, sha256: z.string().optional().catch(undefined) })),
});

/** A call makes at most 5 images of 32 MiB; what says it is larger is no image of Chord. */
const maximumImageBytes = 33_554_432;

type Chunk = PayloadOf<'image_artifact'>;

interface Part {
  readonly bytes: Buffer;
  received: number;
}

/** A result that waits for its images. */
interface Call {
  readonly envelope: Envelope;
  /** References that are still missing, with the hash where it is told. */
  readonly wanted: Map<string, string | undefined>;
  readonly parts: Map<string, Part>;
  readonly done: ImageDocument[];
}

/** An envelope that may be told now; with images where it is the result that brought them. */
export interface Tellable {
  envelope: Envelope;
  images?: ImageDocument[];
}

/**
 * Puts images together from their chunks. Chunks follow their `image_result`, which is held back until the last one
 * is whole; each is decoded by itself, placed at its offset, and the whole is checked by size and SHA-256.
 */
export class Images {
  private readonly calls = new Map<string, Call>();

  /** Takes in any envelope, and gives what may be told of it and of what waited for it. */
  take(envelope: Envelope, reading: Reading | undefined): Tellable[] {
    switch (reading?.type) {
      case 'image_result':
        return this.result(envelope, reading.payload);
      case 'image_artifact':
        return this.chunk(envelope, reading.payload);
      case 'idle':
        // Chunks follow at once: what is not here by now does not come.
        return [...this.release(), { envelope }];
      default:
        return [{ envelope }];
    }
  }

  /** Lets go of results whose images did not come, e.g. since the process is gone. */
  release(): Tellable[] {
    const held = [...this.calls.values()];
    this.calls.clear();
    return held.map(({ envelope, done }) => ({ envelope, ...(done.length > 0 && { images: done }) }));
  }

  private result(envelope: Envelope, result: PayloadOf<'image_result'>): Tellable[] {
    const earlier = this.calls.get(result.call_id);
    this.calls.delete(result.call_id);
    const before = earlier ? [{ envelope: earlier.envelope }] : [];
    // A second envelope of a call says that its images cannot be delivered.
    const fine = result.status === 'success' && result.delivery_error === '';
    const list = fine ? resultList.safeParse(parseJson(result.result)) : undefined;
    if (!list?.success || list.data.images.length === 0) return [...before, { envelope }];
    this.calls.set(result.call_id, {
      envelope,
      wanted: new Map(list.data.images.map((image) => [image.reference, image.sha256])),
      parts: new Map(),
      done: [],
    });
    return before;
  }

  private chunk(envelope: Envelope, chunk: Chunk): Tellable[] {
    const call = this.calls.get(chunk.call_id);
    // One that was fetched belongs to whoever fetched it.
    if (!call?.wanted.has(chunk.reference)) return [{ envelope }];
    const part = this.place(call, chunk);
    if (part && !chunk.last) return [];
    const wanted = call.wanted.get(chunk.reference);
    call.wanted.delete(chunk.reference);
    call.parts.delete(chunk.reference);
    const whole = part?.received === chunk.size_bytes;
    if (whole && (wanted === undefined || wanted === sha256(part.bytes))) {
      call.done.push(imageDocument(chunk, part.bytes));
    }
    if (call.wanted.size > 0) return [];
    this.calls.delete(chunk.call_id);
    return [{ envelope: call.envelope, images: call.done }];
  }

  /** `undefined` for a chunk that cannot be part of an image. */
  private place(call: Call, { reference, size_bytes: size, offset, data }: Chunk): Part | undefined {
    const possible =
      Number.isInteger(size) && size > 0 && size <= maximumImageBytes && Number.isInteger(offset);
    if (!possible || offset < 0 || offset >= size) return undefined;
    const part = call.parts.get(reference) ?? { bytes: Buffer.alloc(size), received: 0 };
    call.parts.set(reference, part);
    part.received += Buffer.from(data, 'base64').copy(part.bytes, offset);
    return part;
  }
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const imageDocument = (chunk: Chunk, bytes: Buffer): ImageDocument => ({
  reference: chunk.reference,
  call_id: chunk.call_id,
  mime_type: chunk.mime_type,
  width: chunk.width,
  height: chunk.height,
  data: bytes.toString('base64'),
});
