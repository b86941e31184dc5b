import { createHash } from 'node:crypto';
import { appendFile, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry, DecisionAttempt } from '../../session/contract';
import { makeFolder } from '../files/folders';

/** A file that grew beyond this is put aside, and a new one begun. Bytes; some ten thousand decisions. */
export const auditFileBytes = 5 * 1024 * 1024;

/** Files that are kept beside the current one. */
export const auditFilesKept = 4;

const sha256 = (value: unknown): string =>
  createHash('sha256')
    .update(typeof value === 'string' ? value : JSON.stringify(value))
    .digest('hex');

/** What the audit records of a decision. */
function auditEntry({ arguments: args, ...decision }: DecisionAttempt, withArguments: boolean): AuditEntry {
  const known = args !== null && args !== undefined;
  return {
    ...decision,
    arguments_sha256: known ? sha256(args) : null,
    ...(known && withArguments && { arguments: args }),
  };
}

/**
 * Every decision that was tried, one JSON line each, in the order in which they were tried. Only this user can read the
 * files. An audit that cannot be written (a full disk) must not keep a decision from being made: it is counted.
 */
export class AuditLog {
  /** Decisions that could not be written down. */
  lost = 0;

  private last: Promise<void> = Promise.resolve();

  constructor(private readonly folder: string) {}

  /** Writes a decision down. */
  write(decision: DecisionAttempt, withArguments: boolean): Promise<void> {
    const line = `${JSON.stringify(auditEntry(decision, withArguments))}\n`;
    this.last = this.last.then(() => this.append(line)).catch(() => void (this.lost += 1));
    return this.last;
  }

  /**
   * The newest decisions, the latest first. Lines that cannot be read are left out.
   *
   * @param limit how many at most
   */
  async read(limit: number): Promise<AuditEntry[]> {
    await this.last;
    const entries: AuditEntry[] = [];
    for (let index = 0; index <= auditFilesKept && entries.length < limit; index += 1) {
      const text = await readFile(this.file(index), 'utf8').catch(() => '');
      entries.push(...text.split('\n').reverse().flatMap(parseLine));
    }
    return entries.slice(0, limit);
  }

  /** `audit.jsonl` is the current one, `audit.1.jsonl` the one before it. */
  private file(index: number): string {
    return join(this.folder, index === 0 ? 'audit.jsonl' : `audit.${index}.jsonl`);
  }

  private async append(line: string): Promise<void> {
    await makeFolder(this.folder);
    const size = await stat(this.file(0)).then(
      (info) => info.size,
      () => 0,
    );
    if (size > 0 && size + Buffer.byteLength(line) > auditFileBytes) await this.rotate();
    await appendFile(this.file(0), line, { mode: 0o600 });
  }

  private async rotate(): Promise<void> {
    for (let index = auditFilesKept - 1; index >= 0; index -= 1) {
      // The younger ones need not be there yet.
      await rename(this.file(index), this.file(index + 1)).catch(() => undefined);
    }
  }
}

function parseLine(line: string): AuditEntry[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as AuditEntry];
  } catch {
    return [];
  }
}
