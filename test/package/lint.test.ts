import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../support/temporaryFolder';

jest.setTimeout(120_000);

const root = path.resolve(__dirname, '../..');

interface Finding {
  filePath: string;
  messages: { ruleId: string | null; line: number }[];
}

/** What n8n's own rules for community nodes say about these files, without any setting of this repository. */
function findings(...files: string[]): string[] {
  const config = path.join(temporaryFolder(), 'eslint.config.mjs');
  const rules = JSON.stringify(require.resolve('@n8n/node-cli/eslint'));
  writeFileSync(
    config,
    `import { configWithoutCloudSupport } from ${rules};\nexport default configWithoutCloudSupport;\n`,
  );
  const eslint = path.join(path.dirname(require.resolve('eslint/package.json')), 'bin/eslint.js');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [eslint, '--config', config, '--format', 'json', ...files],
    // n8n's rules judge otherwise where they take a run for their own tests.
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NODE_ENV: '' } },
  );
  if (!stdout.startsWith('[')) throw new Error(stderr);
  return (JSON.parse(stdout) as Finding[]).flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, line }) => `${path.relative(root, filePath)}:${line} ${ruleId}`),
  );
}

describe("B13: n8n's own lint of a package that starts programs", () => {
  it('passes for everything that n8n loads', () => {
    expect(findings('nodes', 'credentials', 'package.json')).toEqual([]);
  });

  it('finds no forbidden way to start one, which it would: the one place that starts them uses execa', () => {
    const starts = (...files: string[]) =>
      findings(...files).filter((finding) => finding.includes('no-dangerous-functions'));
    expect(starts('test/process/support/host.ts')).not.toEqual([]);
    expect(starts('chord')).toEqual([]);
  });

  it('is told in the README: self-hosted only, and not to be verified', () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
    expect(readme).toContain('You need a self-hosted n8n');
    expect(readme).toMatch(/not verified by n8n and cannot be/);
  });
});
