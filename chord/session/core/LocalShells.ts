/** Local shell commands that run: Chord does nothing else meanwhile, and tells nobody. */
export class LocalShells {
  /** Each by a mark of its own. */
  private readonly running = new Set<object>();

  constructor(private readonly deps: { over(): void }) {}

  isRunning(): boolean {
    return this.running.size > 0;
  }

  async run<Result>(command: () => Promise<Result>): Promise<Result> {
    const mark = {};
    this.running.add(mark);
    try {
      return await command();
    } finally {
      this.running.delete(mark);
      this.deps.over();
    }
  }

  /** The process is gone, and they with it. */
  forget(): void {
    this.running.clear();
  }
}
