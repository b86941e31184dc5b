import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { globMatches } from '../config/permission';

/** A tool call that did not work; the message goes to the model. */
export class ToolFailure extends Error {}

type Arguments = Record<string, unknown>;

/**
 * The file tools of one session; a file that it has not read cannot be overwritten.
 *
 * Not measured: the texts of results and failures, but for their beginnings that recorded scenarios look for: only the
 * model sees them.
 */
export class FileTools {
  private readonly seen = new Set<string>();

  constructor(private readonly project: string) {}

  write(args: Arguments): string {
    const path = this.path(args.path);
    if (existsSync(path) && !this.seen.has(path)) {
      throw new ToolFailure(
        `file ${String(args.path)} exists and was not read in this session; read it first`,
      );
    }
    const content = String(args.content ?? '');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    this.seen.add(path);
    const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
    return `Successfully wrote ${lines} lines, ${Buffer.byteLength(content)} bytes`;
  }

  edit(args: Arguments): string {
    const path = this.path(args.path);
    const before = this.content(path, args.path);
    const old = String(args.old_string ?? '');
    const count = old ? before.split(old).length - 1 : 0;
    if (count === 0) throw new ToolFailure('old_string not found in file');
    if (count > 1 && args.replace_all !== true)
      throw new ToolFailure(`old_string occurs ${count} times; make it unique`);
    writeFileSync(
      path,
      before.replaceAll(old, () => String(args.new_string ?? '')),
    );
    this.seen.add(path);
    return `Successfully replaced ${count} occurrence(s)`;
  }

  read(args: Arguments): string {
    const path = this.path(args.path);
    const lines = this.content(path, args.path).replace(/\n$/, '').split('\n');
    this.seen.add(path);
    const from = Math.max(0, Number(args.offset ?? 1) - 1);
    const part = lines.slice(from, args.limit ? from + Number(args.limit) : undefined);
    return `READ_RESULT lines=${from + 1}-${from + part.length} total=${lines.length}\n${part.join('\n')}\n`;
  }

  delete(args: Arguments): string {
    const paths = Array.isArray(args.paths) ? args.paths.map(String) : [];
    for (const path of paths) {
      if (!existsSync(this.path(path))) throw new ToolFailure(`no such file: ${path}`);
    }
    for (const path of paths) rmSync(this.path(path), { recursive: true });
    return `Deleted ${paths.length} path(s)`;
  }

  glob(args: Arguments): string {
    const patterns = ([] as unknown[]).concat(args.patterns ?? args.pattern ?? '**').map(String);
    const found = this.all().filter((file) =>
      patterns.some((pattern) => globMatches(pattern.replace(/\*\*\//g, '*'), file)),
    );
    return found.length > 0 ? found.join('\n') : 'No files found';
  }

  grep(args: Arguments): string {
    const pattern = new RegExp(String(args.pattern ?? ''));
    const found = this.all().flatMap((file) =>
      readFileSync(join(this.project, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}:${line}`] : [])),
    );
    return found.length > 0 ? found.join('\n') : 'No matches found';
  }

  /** The absolute path of a plan, which has to exist. */
  plan(path: unknown): string {
    const file = this.path(path);
    if (!existsSync(file)) throw new ToolFailure(`plan file ${String(path)} does not exist`);
    return realpathSync(file);
  }

  private path(path: unknown): string {
    if (typeof path !== 'string' || !path) throw new ToolFailure('path is required');
    return resolve(this.project, path);
  }

  private content(path: string, shown: unknown): string {
    if (!existsSync(path) || !statSync(path).isFile())
      throw new ToolFailure(`no such file: ${String(shown)}`);
    return readFileSync(path, 'utf8');
  }

  private all(folder = this.project): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (entry.name === '.git' || entry.name === 'node_modules') return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? this.all(path) : [relative(this.project, path)];
    });
  }
}
