import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { bundledHost, openFolder, startHost } from '../process/support/host';
import { fixture, settingsFor } from '../process/support/fixture';

test('B44: a host that is process 1 is refused with the cure, unless Chord runs elsewhere', async () => {
  const folder = openFolder();
  copyFileSync(fixture('leaves-with-parent.mjs'), path.join(folder, 'chord.mjs'));
  const before = ['unshare', '--fork', '--pid', '--mount-proc', '--kill-child'];
  if (process.getuid?.() !== 0) before.push('--map-root-user');
  const file = bundledHost();
  const settings = settingsFor('', { command: path.join(folder, 'chord.mjs'), projectDirectory: folder });
  const refused = await startHost(file, { settings, directory: folder }, { before });
  expect(refused.line).toMatchObject({
    code: 'n8n_is_pid_1',
    message: expect.stringContaining('n8n is running as process 1 (PID 1)') as string,
    description: expect.stringContaining('docker run --init') as string,
  });
  const elsewhere = { ...settings, runsElsewhere: true };
  const allowed = await startHost(file, { settings: elsewhere, directory: folder }, { before });
  expect(allowed.line.pid).toBeGreaterThan(1);
});
