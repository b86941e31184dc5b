import { createHash } from 'node:crypto';
import { z } from 'zod/v4';
import type { PayloadOf } from '../protocol/envelopes';
import { text } from '../protocol/fields';
import type { ImageDocument } from './contract';

/** The list inside `image_result.result`, which is JSON as text on success. */
const resultList = z.looseObject({
  images: z.array(z.looseObject({ reference: text, sha256: z.string().optional().catch(undefined) })),
});

/** A call makes at most 5 images of 32 MiB; more than these many bytes are no image of Chord. */
const maximumImageBytes = 33_554_432;

type Chunk = PayloadOf<'image_artifact'>;

interface Collected {
  readonly bytes: Buffer;
  received: number;
}

/** References of one image call that are still missing, and what is there. */
interface Call {
  readonly wanted: Map<string, string | undefined>;
  readonly done: ImageDocument[];
}

/**
 * Puts images together from their chunks. Chunks follow their `image_result`; each is decoded by itself, placed at
 * its offset, and the whole is checked by size and SHA-256 before anybody sees it.
 */
export class Images {
  private readonly calls = new Map<string, Call>();

  private readonly parts = new Map<string, Collected>();

  /** Notes which images a call promises. Returns whether chunks are to come. */
  expect(result: PayloadOf<'image_result'>): boolean {
    if (result.status !== 'success' || result.delivery_error !== '') {
      this.calls.delete(result.call_id);
      return false;
    }
    const list = resultList.safeParse(parseJson(result.result));
    if (!list.success || list.data.images.length === 0) return false;
    this.calls.set(result.call_id, {
      wanted: new Map(list.data.images.map((image) => [image.reference, image.sha256])),
      done: [],
    });
    return true;
  }

  /** Takes in a chunk; the call's images once the last one is whole, else nothing. */
  take(chunk: Chunk): ImageDocument[] | null {
    const call = this.calls.get(chunk.call_id);
    if (!call?.wanted.has(chunk.reference) || chunk.size_bytes > maximumImageBytes) return null;
    const name = `${chunk.call_id} ${chunk.reference}`;
    const part = this.parts.get(name) ?? { bytes: Buffer.alloc(chunk.size_bytes), received: 0 };
    this.parts.set(name, part);
    part.received += Buffer.from(chunk.data, 'base64').copy(part.bytes, chunk.offset);
    if (!chunk.last) return null;
    this.parts.delete(name);
    const wanted = call.wanted.get(chunk.reference);
    call.wanted.delete(chunk.reference);
    if (part.received === chunk.size_bytes && (wanted === undefined || wanted === sha256(part.bytes))) {
      call.done.push(imageDocument(chunk, part.bytes));
    }
    if (call.wanted.size > 0) return null;
    this.calls.delete(chunk.call_id);
    return call.done;
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
