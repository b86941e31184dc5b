/**
 * One direction between a session and a played Chord: lines arrive in order, and later than they were written, all that
 * are there at once. A test can hold them back and let them go one by one.
 */
export class Pipe {
  private lines: string[] = [];

  private flows = true;

  private scheduled = false;

  constructor(
    private readonly arrive: (line: string) => void,
    /** Called whenever something moves. */
    private readonly stir: () => void,
  ) {}

  push(line: string): void {
    this.lines.push(line);
    this.stir();
    this.schedule();
  }

  /** From now on nothing arrives. */
  hold(): void {
    this.flows = false;
  }

  /** Everything arrives again. */
  release(): void {
    this.flows = true;
    this.schedule();
  }

  /** Lets one line through that was held back. */
  letOne(): void {
    this.give(1);
  }

  /** Everything that is on its way arrives at once. */
  flush(): void {
    this.give(this.lines.length);
  }

  /** What is on its way never arrives. */
  drop(): void {
    this.lines = [];
  }

  private schedule(): void {
    if (!this.flows || this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.flows) this.flush();
    });
  }

  private give(count: number): void {
    for (const line of this.lines.splice(0, count)) {
      this.stir();
      this.arrive(line);
    }
  }
}
