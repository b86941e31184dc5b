import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Base } from '../agent/base';
import { encode } from '../wire/json';

/** Bytes of an image in one envelope. */
const CHUNK = 384 * 1024;

interface Artifact {
  reference: string;
  data: Buffer;
  width: number;
  height: number;
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG of one grey tone; stored without compression, so that its size grows with its area. */
function png(width: number, height: number, tone: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, tone);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(rows, { level: 0 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Images that the agent made: told in full after their result, and again on request.
 *
 * Not measured: no build with images was run. The envelopes follow the sources; the tool's arguments are made up, as
 * scenarios need no image service, and so is the wording of errors behind `Image artifact:`.
 */
export class Images {
  private readonly artifacts = new Map<string, Artifact>();

  constructor(private readonly runtime: Base) {}

  /** The `image` tool: `count` images of `width` by `height`; `fail` says why there are none. */
  make(args: Record<string, unknown>, callId: string): string {
    const failure = typeof args.fail === 'string' ? args.fail : '';
    const made = failure ? [] : this.draw(args);
    const images = made.map(({ reference, data, width, height }) => ({
      reference,
      width,
      height,
      sha256: createHash('sha256').update(data).digest('hex'),
      mime_type: 'image/png',
      size_bytes: data.length,
    }));
    const operation = { operation_id: this.runtime.newId(), state: 'completed', images };
    const result = failure || encode(operation);
    const payload = { call_id: callId, agent_id: '', status: failure ? 'error' : 'success', result };
    this.runtime.out.push('image_result', payload);
    for (const artifact of made) this.send(artifact, { call_id: callId, request_id: '' });
    return result;
  }

  /** An `image_artifact` command. */
  fetch(reference: string, requestId: string): void {
    const artifact = this.artifacts.get(reference);
    if (artifact) this.send(artifact, { call_id: '', request_id: requestId });
    else
      this.runtime.out.refuse(
        `Image artifact: ${reference ? `${reference} not found` : 'reference is required'}`,
      );
  }

  private draw(args: Record<string, unknown>): Artifact[] {
    const width = Number(args.width ?? 8);
    const height = Number(args.height ?? 8);
    return Array.from({ length: Math.min(Number(args.count ?? 1), 5) }, (_, index) => {
      const data = png(width, height, (this.artifacts.size + index) % 256);
      const reference = `artifact:images/sha256-${createHash('sha256').update(data).digest('hex')}.png`;
      const artifact = { reference, data, width, height };
      this.artifacts.set(reference, artifact);
      return artifact;
    });
  }

  private send(
    { reference, data, width, height }: Artifact,
    to: { call_id: string; request_id: string },
  ): void {
    for (let offset = 0; offset < data.length; offset += CHUNK) {
      this.runtime.out.reply('image_artifact', {
        reference,
        ...to,
        agent_id: '',
        mime_type: 'image/png',
        width,
        height,
        size_bytes: data.length,
        offset,
        last: offset + CHUNK >= data.length,
        data: data.subarray(offset, offset + CHUNK).toString('base64'),
      });
    }
  }
}
