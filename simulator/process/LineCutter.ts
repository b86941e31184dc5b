/** A line longer than this, in bytes with its line end, is thrown away. */
export const STDIN_LIMIT = 1024 * 1024;

/** Cuts a byte stream into lines at line feeds; a carriage return before one belongs to it. */
export class LineCutter {
  private parts: Buffer[] = [];
  private length = 0;
  private discarding = false;

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly onTooLong: (limit: number) => void,
  ) {}

  /** Takes a piece of the stream. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.add(chunk.subarray(from, end), 1);
      this.finish();
      from = end + 1;
    }
    this.add(chunk.subarray(from), 0);
  }

  /** The stream has ended: an unterminated last line counts. */
  end(): void {
    if (this.length > 0) this.finish();
  }

  private add(part: Buffer, lineEnd: number): void {
    this.length += part.length;
    if (this.discarding) return;
    if (this.length + lineEnd > STDIN_LIMIT) {
      this.discarding = true;
      this.parts = [];
      this.onTooLong(STDIN_LIMIT);
      return;
    }
    this.parts.push(part);
  }

  private finish(): void {
    if (!this.discarding) this.onLine(Buffer.concat(this.parts).toString('utf8').replace(/\r$/, ''));
    this.parts = [];
    this.length = 0;
    this.discarding = false;
  }
}
