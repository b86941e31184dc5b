import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock';

/** As long as an outcome is kept that may name an image, in milliseconds. */
const keptForMs = 30 * 24 * 3_600_000;

/** What all images together may take on the disk, in bytes: the oldest go first. */
const keptAtMost = 1024 ** 3;

interface ImageFile {
  path: string;
  bytes: number;
  time: number;
}

/** The images that Chord made, in files: in memory they would stay with every result that names them. */
export class ImageFiles {
  private readonly folder: string;

  private cleaning: Promise<void> | undefined;

  constructor(
    folder: string,
    private readonly clock: Clock,
    private readonly limit = keptAtMost,
  ) {
    this.folder = join(folder, 'images');
  }

  /**
   * Writes an image into a file that only this user can read. Synchronous, since images come from the one reader of
   * Chord's output, which keeps the order of what it tells.
   *
   * @returns the file's path
   * @throws the file system's error where there is no room
   */
  keep(bytes: Buffer): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, randomUUID());
    writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 });
    void this.clean();
    return path;
  }

  /** Removes what is too old, and the oldest where all together are too much. Never rejects. */
  clean(): Promise<void> {
    this.cleaning ??= this.removeOld().finally(() => {
      this.cleaning = undefined;
    });
    return this.cleaning;
  }

  private async removeOld(): Promise<void> {
    const files = (await this.files()).sort((a, b) => b.time - a.time);
    const before = this.clock.now() - keptForMs;
    let sum = 0;
    for (const { path, bytes, time } of files) {
      sum += bytes;
      if (time < before || sum > this.limit) await rm(path, { force: true }).catch(() => undefined);
    }
  }

  private async files(): Promise<ImageFile[]> {
    // Nobody has made one yet, or the folder cannot be read: then there is nothing to remove.
    const names = await readdir(this.folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        const info = await stat(path).catch(() => undefined);
        return info && { path, bytes: info.size, time: info.mtimeMs };
      }),
    );
    return files.filter((file) => file !== undefined);
  }
}
