import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until';
import { PATIENCE } from '../support/Heard';
import { SIMULATOR } from '../support/lab';
import { processes } from '../support/processes';

const all = processes();

describe('a process', () => {
  it('K9: leaves when its parent is gone, though stdin stays open', async () => {
    const fifo = join(all.box.root, 'stdin');
    execFileSync('mkfifo', [fifo]);
    const script = '"$1" headless -d "$2" <>"$3" >"$4/out" & echo $! >"$4/pid"; read -r _';
    const shell = spawn('bash', ['-c', script, 'x', SIMULATOR, all.box.work, fifo, all.box.root], {
      env: all.box.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const out = join(all.box.root, 'out');
    await until(() => existsSync(out) && readFileSync(out, 'utf8').includes('"ready"'), {
      ...PATIENCE,
      what: 'ready',
    });
    const pid = Number(readFileSync(join(all.box.root, 'pid'), 'utf8'));
    const alive = () => {
      try {
        process.kill(pid, 0);
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    };
    expect(alive()).toBe(true);
    shell.stdin.end('\n');
    await until(() => !alive(), { ...PATIENCE, what: 'the orphan to end' });
  });
});
