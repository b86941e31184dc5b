import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAB } from '../../simulator/support/lab';
import { realChord, runLab, simulatorCommand, workFolder } from './sideBySide';

/** What the lab's model server answers in its process cases. */
const HELLO = {
  name: 'edge',
  steps: [
    { id: 'hello', when: { last_user: 'Hello.' }, times: 'any', reply: { text: 'Hello.' } },
    {
      id: 'recall',
      when: { last_user: 'What did I say first?', any: 'Hello.' },
      times: 'any',
      reply: { text: 'You said hello.' },
    },
    {
      id: 'drip',
      when: { last_user: 'Drip.' },
      times: 'any',
      reply: { text: { repeat: 'drip ', count: 200 }, chunk_chars: 5, chunk_delay_ms: 50 },
    },
  ],
};

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
