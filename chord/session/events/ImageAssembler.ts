import { createHash } from 'node:crypto';
import { z } from 'zod/v4';
import type { PayloadOf, Received } from '../../protocol/envelopes';
import { text } from '../../protocol/fields';
import type { ImageDocument } from '../contract';

/** The list inside `image_result.result`, which is JSON as text on success. */
const resultList = z.looseObject({
  images: z.array(z.looseObject({ reference: text, sha256: z.string().optional().catch(undefined) })),
});

/** A call makes at most 5 images of 32 MiB; what says it is larger is no image of Chord. */
const maximumImageBytes = 33_554_432;

type Chunk = PayloadOf<'image_artifact'>;

interface Part {
  readonly bytes: Buffer;
  /** Where the pieces end that came, by where they begin: none may come twice, or cover another. */
  readonly pieces: Map<number, number>;
}

/** A result that waits for its images. */
interface Call {
  readonly received: Received;
  /** References that are still missing, with the hash where Chord gives it. */
  readonly wanted: Map<string, string | undefined>;
  readonly parts: Map<string, Part>;
  readonly done: ImageDocument[];
  /** Images that came, but not as they were made. */
  damaged: number;
  /** Images that came, and for which there was no room. */
  unkept: number;
}

/** An envelope that may be published now; with images where it is the result that brought them. */
export interface Publishable {
  received: Received;
  images?: ImageDocument[];
  /** Why images are missing of a result that Chord calls a success. */
  problem?: string;
}

/** Calls that are over whose late pieces are known as such. */
const endedKept = 100;

const images = (count: number): string => (count === 1 ? '1 image' : `${count} images`);

/** What is published of a call when no more of its images is waited for. */
function publishable({ received, done, damaged, unkept, wanted }: Call): Publishable {
  const problems = [
    damaged > 0 && `${images(damaged)} arrived damaged`,
    unkept > 0 && `${images(unkept)} could not be written to the disk`,
    wanted.size > 0 && `${images(wanted.size)} did not arrive`,
  ].filter((problem) => problem !== false);
  return {
    received,
    ...(done.length > 0 && { images: done }),
    ...(problems.length > 0 && {
      problem: `Chord made ${images(done.length + damaged + unkept + wanted.size)}, but ${problems.join(' and ')}.`,
    }),
  };
}

/** What the assembler needs. */
export interface ImageAssemblerDeps {
  /**
   * Puts the bytes of an image into a file, and gives its path.
   *
   * @throws where there is no room for it
   */
  keepImage(bytes: Buffer): string;
}

/**
 * Puts images together from their chunks. Chunks follow their `image_result`, which is held back until the last one
 * is whole; each is decoded by itself, placed at its offset, and the whole is checked by size and SHA-256.
 */
export class ImageAssembler {
  private readonly calls = new Map<string, Call>();

  /** Ids of calls that are over. */
  private readonly ended = new Set<string>();

  constructor(private readonly deps: ImageAssemblerDeps) {}

  /** Takes in any envelope. @returns what may be published of it and of what waited for it */
  accept(received: Received): Publishable[] {
    const { reading } = received;
    switch (reading?.type) {
      case 'image_result':
        return this.result(received, reading.payload);
      case 'image_artifact':
        return this.chunk(received, reading.payload);
      default:
        return [{ received }];
    }
  }

  /** Lets go of results whose images did not come: chunks follow at once, so that none comes after an `idle`. */
  release(): Publishable[] {
    return [...this.calls.keys()].map((id) => this.end(id)).filter((ended) => ended !== undefined);
  }

  private end(callId: string): Publishable | undefined {
    const call = this.calls.get(callId);
    if (!call) return undefined;
    this.calls.delete(callId);
    this.ended.add(callId);
    const [oldest] = this.ended;
    if (this.ended.size > endedKept && oldest !== undefined) this.ended.delete(oldest);
    return publishable(call);
  }

  private result(received: Received, result: PayloadOf<'image_result'>): Publishable[] {
    // A second envelope of a call says that its images cannot be delivered.
    const earlier = this.calls.get(result.call_id);
    const before = this.end(result.call_id);
    const isSecond = result.delivery_error !== '' && earlier !== undefined;
    const ended = before ? [isSecond ? { received: earlier.received } : before] : [];
    if (result.status !== 'success' || result.delivery_error !== '') return [...ended, { received }];
    const list = resultList.safeParse(parseJson(result.result));
    if (!list.success || list.data.images.length === 0) {
      return [...ended, { received, problem: 'Chord reports a success but names no image.' }];
    }
    this.ended.delete(result.call_id);
    this.calls.set(result.call_id, {
      received,
      wanted: new Map(list.data.images.map((image) => [image.reference, image.sha256])),
      parts: new Map(),
      done: [],
      damaged: 0,
      unkept: 0,
    });
    return ended;
  }

  private chunk(received: Received, chunk: Chunk): Publishable[] {
    const call = this.calls.get(chunk.call_id);
    if (!call) {
      // One that was fetched belongs to whoever fetched it. Of a call that is over it is only in the way.
      return this.ended.has(chunk.call_id) ? [] : [{ received }];
    }
    // A later piece of an image that is damaged already, or was never named.
    if (!call.wanted.has(chunk.reference)) return [];
    const part = place(call, chunk);
    if (part && !chunk.last) return [];
    const wanted = call.wanted.get(chunk.reference);
    call.wanted.delete(chunk.reference);
    call.parts.delete(chunk.reference);
    const whole = part !== undefined && isWhole(part);
    if (whole && (wanted === undefined || wanted === sha256(part.bytes))) {
      this.done(call, chunk, part.bytes);
    } else call.damaged += 1;
    const ended = call.wanted.size === 0 ? this.end(chunk.call_id) : undefined;
    return ended ? [ended] : [];
  }

  private done(call: Call, { reference, call_id, mime_type, width, height }: Chunk, bytes: Buffer): void {
    try {
      call.done.push({ reference, call_id, mime_type, width, height, file: this.deps.keepImage(bytes) });
    } catch {
      call.unkept += 1;
    }
  }
}

/** `undefined` for a chunk that cannot be part of an image. */
function place(call: Call, { reference, size_bytes: size, offset, data }: Chunk): Part | undefined {
  const possible =
    Number.isInteger(size) && size > 0 && size <= maximumImageBytes && Number.isInteger(offset);
  if (!possible || offset < 0 || offset >= size) return undefined;
  const part = call.parts.get(reference) ?? { bytes: Buffer.alloc(size), pieces: new Map<number, number>() };
  call.parts.set(reference, part);
  const bytes = Buffer.from(data, 'base64');
  const end = offset + bytes.length;
  if (part.bytes.length !== size || end > size || part.pieces.has(offset)) return undefined;
  bytes.copy(part.bytes, offset);
  part.pieces.set(offset, end);
  return part;
}

/** Whether one piece begins where another ends, from the first byte to the last. */
function isWhole({ bytes, pieces }: Part): boolean {
  let end: number | undefined = 0;
  for (let count = 0; count < pieces.size && end !== undefined; count += 1) end = pieces.get(end);
  return end === bytes.length;
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
