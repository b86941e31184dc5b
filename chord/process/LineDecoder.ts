import { isAscii } from 'node:buffer';
import { envelopeSchema, namesOf, type Envelope } from '../protocol/envelopes';
import { nestsDeeper } from '../protocol/depth';
import type { ProtocolProblem } from './Transport';

/** The longest stdout line of current Chord builds: over it Chord itself stops. In bytes. */
const maximumOutputLineBytes = 16 * 1024 * 1024;

/** Characters of a line that are shown of one that cannot be read. */
const sampleCharacters = 200;

/** Bytes that hold {@link sampleCharacters} for sure. */
const sampleBytes = sampleCharacters * 4;

const newline = 0x0a;

/** From this length on it pays to look whether a line is ASCII before it is decoded (measured). */
const longLineBytes = 512;

/**
 * For long lines that are not ASCII. Invalid UTF-8 becomes U+FFFD: the line stays readable. The empty call sets Node
 * 20's decoder to ICU for good, which is twice as fast as its other way; for Node 24 it is all the same (measured).
 */
const utf8 = new TextDecoder('utf-8');
utf8.decode(new Uint8Array(), { stream: true });

function decode(buffer: Buffer, start: number, end: number): string {
  if (end - start < longLineBytes) return buffer.toString('utf8', start, end);
  const bytes = buffer.subarray(start, end);
  return isAscii(bytes) ? bytes.toString('latin1') : utf8.decode(bytes);
}

/** A buffer of more than this is given back after the long line that needed it. */
const keptBytes = 256 * 1024;

/** What a {@link LineDecoder} finds. */
export interface DecodedLines {
  envelope(envelope: Envelope): void;
  problem(problem: ProtocolProblem): void;
}

/** The beginning of a text as it is shown, never cut inside a character. */
function sampleOf(text: string): string {
  return text.slice(0, sampleCharacters).replace(/[\uD800-\uDBFF]$/, '');
}

/** Chord's own lines pass without a schema, which would cost more than reading the JSON. */
function isPlainEnvelope(value: object): value is Envelope {
  const { type, seq, payload } = value as Record<string, unknown>;
  return (
    typeof type === 'string' &&
    (seq === undefined || typeof seq === 'number') &&
    (payload === undefined || (typeof payload === 'object' && payload !== null && !Array.isArray(payload)))
  );
}

/**
 * Turns stdout's bytes into envelopes. Lines end at the byte 0x0A and nowhere else: U+2028 and U+2029 are legal in
 * JSON, and Node's own line reader cuts there from Node 24 on (measured). A line is decoded only when it is whole, so
 * no character is ever cut by the border of a chunk.
 */
export class LineDecoder {
  /** The beginning of an unfinished line; grows by doubling, so that a long line is not copied again and again. */
  private buffer = Buffer.alloc(0);

  /** Bytes of `buffer` in use. */
  private length = 0;

  /** The line is over the limit: its bytes are counted and dropped until it ends. */
  private skipping: { sample: string; bytes: number } | undefined;

  constructor(
    private readonly lines: DecodedLines,
    private readonly limit = maximumOutputLineBytes,
  ) {}

  /** Takes the next bytes; calls back for each line that they finish. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.finish(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.keep(chunk, start, chunk.length);
  }

  /** Takes the end of the stream; what is left counts as a line. */
  end(): void {
    this.finish(Buffer.alloc(0), 0, 0);
  }

  private finish(chunk: Buffer, start: number, end: number): void {
    if (this.length + end - start > this.limit || this.skipping !== undefined) {
      this.keep(chunk, start, end);
      const skipped = this.skipping;
      this.skipping = undefined;
      if (skipped !== undefined) this.lines.problem({ reason: 'line_too_long', ...skipped });
      return;
    }
    if (this.length === 0) {
      this.line(chunk, start, end);
      return;
    }
    this.keep(chunk, start, end);
    const { buffer, length } = this;
    this.clear();
    this.line(buffer, 0, length);
  }

  private keep(chunk: Buffer, start: number, end: number): void {
    const bytes = end - start;
    if (this.skipping !== undefined) {
      this.skipping.bytes += bytes;
      return;
    }
    if (this.length + bytes > this.limit) {
      const beginning = Buffer.concat(
        [this.buffer.subarray(0, this.length), chunk.subarray(start, end)].map((part) =>
          part.subarray(0, sampleBytes),
        ),
      );
      this.skipping = { sample: sampleOf(beginning.toString('utf8')), bytes: this.length + bytes };
      this.clear();
      return;
    }
    if (this.length + bytes > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(4096, 2 * (this.length + bytes)));
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    chunk.copy(this.buffer, this.length, start, end);
    this.length += bytes;
  }

  private clear(): void {
    this.length = 0;
    if (this.buffer.length > keptBytes) this.buffer = Buffer.alloc(0);
  }

  private line(buffer: Buffer, start: number, end: number): void {
    const bytes = end - start;
    if (bytes === 0) return;
    const decoded = decode(buffer, start, end);
    const text = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (text.trim() !== '')
        this.lines.problem({ reason: 'not_json', sample: sampleOf(text.trimEnd()), bytes });
      return;
    }
    if (nestsDeeper(value)) {
      const sample = sampleOf(text.trimEnd());
      this.lines.problem({ reason: 'too_deep', ...namesOf(value), sample, bytes });
      return;
    }
    if (typeof value === 'object' && value !== null && isPlainEnvelope(value)) {
      this.lines.envelope(value);
      return;
    }
    const loose = envelopeSchema.safeParse(value);
    if (loose.success) this.lines.envelope(loose.data);
    else this.lines.problem({ reason: 'not_an_envelope', sample: sampleOf(text.trimEnd()), bytes });
  }
}
