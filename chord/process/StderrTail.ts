import { StringDecoder } from 'node:string_decoder';
import type { SecretMask } from './SecretMask';

/** How much of stderr is kept, in bytes. */
export const stderrTailBytes = 64 * 1024;

/** The last bytes of a text, never cut inside a character. */
function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return text;
  let start = bytes.length - limit;
  // Bytes of the form 10xxxxxx continue a character.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString('utf8', start);
}

/**
 * Takes everything that a program writes to stderr and keeps the end of it. It must always be read: a program whose
 * stderr nobody reads blocks after 64 KiB.
 */
export class StderrTail {
  private readonly decoder = new StringDecoder('utf8');

  private masked = '';

  /** Not masked yet: a secret may go on in the next chunk. */
  private rest = '';

  constructor(private readonly secrets: SecretMask) {}

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    // Masked before it is cut, so that the cut never leaves half a secret behind.
    const { masked, rest } = this.secrets.maskBeginning(this.rest + this.decoder.write(chunk));
    this.rest = rest;
    this.masked += masked;
    // Cut only now and then: each cut copies the whole tail.
    if (this.masked.length > 2 * stderrTailBytes) this.masked = lastBytes(this.masked, stderrTailBytes);
  }

  /** The last 64 KiB at most, without secrets. */
  text(): string {
    return lastBytes(this.masked + this.secrets.mask(this.rest), stderrTailBytes);
  }

  /** The last line that is not blank: what a program says before it gives up. Empty if there is none. */
  lastLine(): string {
    const lines = this.text().trimEnd().split('\n');
    return (lines[lines.length - 1] ?? '').trim();
  }
}
