/** What sessions keep at most for those who may ask again, in bytes. */
export const keptAtMost = { session: 16 * 1024 * 1024, all: 256 * 1024 * 1024 };

interface Item {
  readonly bytes: number;
  readonly owner: KeptBytes;
  readonly drop: () => void;
}

/** What all sessions of this process keep, the oldest first. */
export class KeptTotal {
  readonly items = new Set<Item>();

  bytes = 0;

  constructor(readonly limit = keptAtMost.all) {}
}

const processTotal = new KeptTotal();

/**
 * Bounds what one session keeps of results that were taken and of requests that are closed: over the limit of the
 * session, or of all sessions together, the oldest is dropped first. What is open or waited for is none of it.
 */
export class KeptBytes {
  private readonly items = new Set<Item>();

  private own = 0;

  constructor(
    private readonly limit = keptAtMost.session,
    private readonly total = processTotal,
  ) {}

  /** Bytes that this session keeps. */
  get bytes(): number {
    return this.own;
  }

  /**
   * Counts something that is kept.
   *
   * @param drop lets go of it; called once, unless it is released before
   * @returns says that it is not kept any more, for another reason
   */
  keep(bytes: number, drop: () => void): () => void {
    const item = { bytes, owner: this, drop };
    this.items.add(item);
    this.total.items.add(item);
    this.own += bytes;
    this.total.bytes += bytes;
    this.shrink();
    return () => void this.forget(item);
  }

  /** The session is forgotten as a whole, and all that it keeps. */
  clear(): void {
    for (const item of [...this.items]) this.forget(item);
  }

  private shrink(): void {
    while (this.own > this.limit) dropOldest(this.items);
    while (this.total.bytes > this.total.limit) dropOldest(this.total.items);
  }

  /** Returns whether it was kept until now. */
  forget(item: Item): boolean {
    if (!this.items.delete(item)) return false;
    this.total.items.delete(item);
    this.own -= item.bytes;
    this.total.bytes -= item.bytes;
    return true;
  }
}

function dropOldest(items: ReadonlySet<Item>): void {
  for (const item of items) {
    if (item.owner.forget(item)) item.drop();
    return;
  }
}
