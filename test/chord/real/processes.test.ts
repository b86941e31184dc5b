import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAB } from '../../simulator/support/lab';
import { HELLO } from '../../simulator/support/processes';
import { realChord, runLab, simulatorCommand, workFolder } from './sideBySide';

/** The lab's process cases; not `no-auth-file`, which looks at what the model server was sent. */
const cases = (
  'no-config malformed-config unknown-config-key no-requests-at-rest resume-bad-id continue-none continue-and-resume ' +
  'missing-dir dir-is-file unknown-flag worktree-outside-git worktree-bare-flag worktree plain-directory lock ' +
  'resume-after-kill kill-midstream-resume eof-idle eof-busy eof-right-after-send sigterm sigint parent-gone slow-mcp ' +
  'time-to-ready stdout-not-read'
).split(' ');

interface Claim {
  text: string;
  holds: boolean;
}

const claimsIn = (folder: string, name: string) =>
  (JSON.parse(readFileSync(join(folder, name, 'claims.json'), 'utf8')) as Claim[]).map(({ text, holds }) => ({
    text,
    holds,
  }));

describe('what the lab claims of the process holds for both', () => {
  it.concurrent.each(cases)(
    '%s',
    async (name) => {
      const folder = workFolder();
      try {
        const scenario = join(folder.path, 'hello.json');
        writeFileSync(scenario, JSON.stringify(HELLO));
        const simulator = simulatorCommand(folder.path, scenario);
        const [real, simulated] = [join(folder.path, 'real'), join(folder.path, 'simulated')];
        await Promise.all([
          runLab(LAB, 'edge.mjs', realChord(), real, [name]),
          runLab(LAB, 'edge.mjs', simulator, simulated, [name]),
        ]);
        expect(claimsIn(simulated, name)).toEqual(claimsIn(real, name));
        expect(claimsIn(simulated, name).filter(({ holds }) => !holds)).toEqual([]);
      } finally {
        folder.remove();
      }
    },
    180_000,
  );
});
