import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod/v4';
import { count } from '../../protocol/fields';
import type { UsageDocument } from '../contract';

/** The part of Chord's `usage-summary.json` that we read (measured). */
const usageFile = z.looseObject({
  usage_total: z.looseObject({ input_tokens: count, output_tokens: count, total_cost: count }),
});

/** Where the session's file is: session ids are unique over all projects. */
async function findUsageFile(sessionsDirectory: string, sessionId: string): Promise<string | null> {
  const projects = await readdir(sessionsDirectory, { withFileTypes: true });
  for (const project of projects) {
    const folder = path.join(sessionsDirectory, project.name);
    const sessions = project.isDirectory() ? await readdir(folder) : [];
    if (sessions.includes(sessionId)) return path.join(folder, sessionId, 'usage-summary.json');
  }
  return null;
}

/** What a session has cost so far, from Chord's own file; `null` where it cannot be read. Never throws. */
export async function readUsage(sessionsDirectory: string, sessionId: string): Promise<UsageDocument | null> {
  if (sessionsDirectory === '' || sessionId === '') return null;
  try {
    const file = await findUsageFile(sessionsDirectory, sessionId);
    if (file === null) return null;
    const { usage_total: total } = usageFile.parse(JSON.parse(await readFile(file, 'utf8')));
    return {
      input_tokens: total.input_tokens,
      output_tokens: total.output_tokens,
      cost_usd: total.total_cost,
    };
  } catch {
    return null;
  }
}

/** Nothing used yet. */
const nothing: UsageDocument = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/** What had been used when a turn began. */
export interface UsageBase {
  sessionId: string;
  /** The totals of the sessions that were known, as last read. */
  totals: ReadonlyMap<string, UsageDocument>;
  /** The first reading of this session, where it is still under way. */
  first: Promise<UsageDocument | null> | undefined;
}

/** Adds, or with `sign` -1 takes away. */
const sum = (a: UsageDocument, b: UsageDocument, sign: 1 | -1): UsageDocument => ({
  input_tokens: a.input_tokens + sign * b.input_tokens,
  output_tokens: a.output_tokens + sign * b.output_tokens,
  // Money in binary fractions: ten decimals are more than any price has.
  cost_usd: Number((a.cost_usd + sign * b.cost_usd).toFixed(10)),
});

/** Sessions whose totals are kept; a process rarely switches between more. */
const sessionsKept = 20;

/** Tells what a turn cost: the difference between the session's totals now and when the turn began. */
export class UsageMeter {
  /** The totals as last read, by session. */
  private readonly totals = new Map<string, UsageDocument>();

  private readonly first = new Map<string, Promise<UsageDocument | null>>();

  constructor(private readonly sessionsDirectory: string) {}

  /** What a turn that begins now starts from. A session that was never read starts at 0. */
  base(sessionId: string): UsageBase {
    return { sessionId, totals: new Map(this.totals), first: this.first.get(sessionId) };
  }

  /** Notes what a session has cost before anything is done in it here. */
  open(sessionId: string): void {
    const reading = this.read(sessionId);
    this.first.set(sessionId, reading);
    void reading.then(() => this.first.delete(sessionId));
  }

  /** Reads the totals of a session, so that what it cost before does not count. */
  async read(sessionId: string): Promise<UsageDocument | null> {
    const usage = await readUsage(this.sessionsDirectory, sessionId);
    if (usage) this.totals.set(sessionId, usage);
    const [oldest] = this.totals.keys();
    if (this.totals.size > sessionsKept && oldest !== undefined) this.totals.delete(oldest);
    return usage;
  }

  /** What was used since `base`, by both sessions where a handoff switched them; `null` where it cannot be read. */
  async since(base: UsageBase, sessionId: string): Promise<UsageDocument | null> {
    const sessions = new Set([base.sessionId, sessionId]);
    const first = await base.first;
    let used = nothing;
    for (const id of sessions) {
      const total = await this.read(id);
      if (!total) return null;
      const before = base.totals.get(id) ?? (id === base.sessionId ? first : null);
      used = sum(sum(used, total, 1), before ?? nothing, -1);
    }
    return used;
  }
}
