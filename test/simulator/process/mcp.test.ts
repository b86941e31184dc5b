import { systemClock } from '../../../simulator/clock';
import { awaitMcp, MCP_LIMIT } from '../../../simulator/process/mcp';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../support/Child';
import { ManualClock } from '../support/ManualClock';
import { sandbox } from '../support/lab';

describe('a tool server that holds `ready` back', () => {
  it('is waited for until it answers', async () => {
    const box = sandbox({ CHORD_SIMULATOR_PROFILE: 'd1' });
    const go = join(box.root, 'go');
    const script = `until [ -e ${go} ]; do sleep 0.02; done; echo '{}'`;
    appendFileSync(
      join(box.home, '.config/chord/config.yaml'),
      `mcp:\n  slow:\n    command: bash\n    args: ["-c", ${JSON.stringify(script)}]\n`,
    );
    const child = new Child(box);
    try {
      child.send({ type: 'status' });
      writeFileSync(go, '');
      await child.next('ready');
      await child.next('status_response');
    } finally {
      child.kill();
      box.remove();
    }
  });

  it('is given up after 20 seconds', async () => {
    const clock = new ManualClock();
    let ready = false;
    const waited = awaitMcp({ command: 'sleep', args: ['60'] }, clock).then(() => (ready = true));
    await clock.advance(MCP_LIMIT - 1);
    expect(ready).toBe(false);
    await clock.advance(1);
    await waited;
    expect(ready).toBe(true);
  });

  it('that cannot be started is no reason to wait', async () => {
    await expect(awaitMcp({ command: '/does/not/exist', args: [] }, systemClock)).resolves.toBeUndefined();
  });
});
