import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ImageFiles } from '../../../chord/registry/files/ImageFiles';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';

const day = 24 * 3_600_000;

/** Image files in a folder of their own; the clock stands at the real time, which the file system writes. */
function setUp(limit?: number) {
  const folder = temporaryFolder();
  const files = new ImageFiles(folder, new FakeClock(Date.now()), limit);
  const left = () => readdirSync(join(folder, 'images')).length;
  return { folder, files, left };
}

const madeDaysAgo = (path: string, days: number) => {
  const time = new Date(Date.now() - days * day);
  utimesSync(path, time, time);
};

test('an image is written whole, for this user alone', async () => {
  const { folder, files } = setUp();
  const path = files.keep(Buffer.from('picture'));
  expect(readFileSync(path, 'utf8')).toBe('picture');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'images')).mode & 0o777).toBe(0o700);
  await files.clean();
});

test('what is older than 30 days goes', async () => {
  const { files, left } = setUp();
  madeDaysAgo(files.keep(Buffer.from('old')), 31);
  const kept = files.keep(Buffer.from('newer'));
  madeDaysAgo(kept, 29);
  await files.clean();
  await files.clean();
  expect(left()).toBe(1);
  expect(readFileSync(kept, 'utf8')).toBe('newer');
});

test('where all together are too much, the oldest go', async () => {
  const { files, left } = setUp(25);
  const paths = [3, 2, 1].map((days) => {
    const path = files.keep(Buffer.alloc(10));
    madeDaysAgo(path, days);
    return path;
  });
  await files.clean();
  await files.clean();
  expect(left()).toBe(2);
  expect(readFileSync(paths[2]!)).toHaveLength(10);
});

test('without a folder there is nothing to clean, and a folder that is none is the error of whoever keeps', async () => {
  const folder = temporaryFolder();
  const files = new ImageFiles(folder, new FakeClock());
  await files.clean();
  writeFileSync(join(folder, 'images'), '');
  await files.clean();
  expect(() => files.keep(Buffer.from('picture'))).toThrow();
});
