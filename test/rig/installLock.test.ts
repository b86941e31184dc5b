import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { withInstallLock } from '../../rig/installLock';
import { runProgram } from '../../rig/runProgram';

describe('the lock of an installation', () => {
  let folder: string;
  let lock: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'rig-lock-'));
    lock = path.join(folder, 'deep', 'n8n.lock');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const noWait = (owner: number) => {
    throw new Error(`must not wait for ${owner}`);
  };

  test('lets one work at a time, and the next one when that is done', async () => {
    const steps: string[] = [];
    let waitedFor = 0;
    const first = withInstallLock(
      lock,
      async () => {
        steps.push('first begins');
        await new Promise<void>((resolve) => (letFirstEnd = resolve));
        steps.push('first ends');
      },
      noWait,
    );
    let letFirstEnd: () => void = () => undefined;
    const second = withInstallLock(
      lock,
      async () => void steps.push('second'),
      (owner) => {
        waitedFor = owner;
        letFirstEnd();
      },
    );
    await Promise.all([first, second]);
    expect(steps).toEqual(['first begins', 'first ends', 'second']);
    expect(waitedFor).toBe(process.pid);
    expect(existsSync(lock)).toBe(false);
  });

  test('is given back when the work fails', async () => {
    const failing = withInstallLock(lock, () => Promise.reject(new Error('no disk')), noWait);
    await expect(failing).rejects.toThrow('no disk');
    expect(await withInstallLock(lock, async () => 'done', noWait)).toBe('done');
  });

  test('of a process that is gone is taken over', async () => {
    const gone = (await runProgram(process.execPath, ['-p', 'process.pid'])).stdout.trim();
    await withInstallLock(lock, async () => undefined, noWait);
    await writeFile(lock, gone);
    expect(await withInstallLock(lock, async () => 'mine', noWait)).toBe('mine');
  });

  test('without a sign of life is taken over, though its process id is in use again', async () => {
    await withInstallLock(lock, async () => undefined, noWait);
    await writeFile(lock, String(process.pid));
    await utimes(lock, new Date(0), new Date(0));
    expect(await withInstallLock(lock, async () => 'mine', noWait)).toBe('mine');
  });
});
