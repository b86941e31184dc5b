import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../../rig/npm';
import { packPackage } from '../../rig/pack';
import { temporaryFolder } from '../support/temporaryFolder';

jest.setTimeout(120_000);

interface Manifest {
  dependencies?: Record<string, string>;
  peerDependencies: Record<string, string>;
  n8n: { nodes: string[]; credentials: string[] };
}

const root = path.resolve(__dirname, '../..');

/** The package as somebody installs it: from the archive, without development dependencies, in an empty folder. */
let folder: string;
let manifest: Manifest;

const installed = (...parts: string[]) => path.join(folder, 'node_modules/n8n-nodes-chord', ...parts);

beforeAll(async () => {
  const base = temporaryFolder();
  const archive = await packPackage(path.join(base, 'archive'));
  folder = path.join(base, 'n8n');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{"name":"host","private":true}');
  // As the README says. n8n brings n8n-workflow itself, whose own parts may have to be compiled; nothing else may be
  // needed, so no registry is asked.
  const install = ['install', archive, '--omit=dev', '--offline', '--no-audit', '--no-fund'];
  await npm(folder, install);
  symlinkSync(path.join(root, 'node_modules/n8n-workflow'), path.join(folder, 'node_modules/n8n-workflow'));
  manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Manifest;
});

/** Runs a script in the installed folder with plain Node, and gives what it printed. */
const node = (script: string): string => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

it('B14, B16: every file of the n8n section loads with plain require', () => {
  const entries = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
  const loaded = node(
    `for (const file of ${JSON.stringify(entries)}) console.log(Object.keys(require('n8n-nodes-chord/' + file)).join());`,
  );
  const classes = entries.map((entry) => path.basename(entry).split('.')[0]);
  expect(loaded.trim().split('\n')).toEqual(classes);
});

it('B14: has no runtime dependencies', () => {
  expect(manifest.dependencies ?? {}).toEqual({});
  expect(existsSync(installed('node_modules'))).toBe(false);
});

it("B15: n8n-workflow is the host's, and errors are instances of its classes", () => {
  expect(Object.keys(manifest.peerDependencies)).toEqual(['n8n-workflow']);
  const files = filesIn(installed()).map((file) => path.relative(installed(), file));
  expect(files.filter((file) => file.includes('n8n-workflow'))).toEqual([]);
  const code = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(installed(file), 'utf8'));
  expect(code.filter((text) => text.includes('require("n8n-workflow")'))).not.toHaveLength(0);
  expect(code.filter((text) => /class \w*NodeOperationError\b/.test(text))).toEqual([]);
  const verdict = node(`
    const { NodeOperationError } = require('n8n-workflow');
    const { nodeError } = require('n8n-nodes-chord/dist/nodes/shared/errors/nodeError.js');
    console.log(nodeError({ name: 'Chord Send', type: 'x' }, new Error('no')) instanceof NodeOperationError);
  `);
  expect(verdict.trim()).toBe('true');
});

it('B17: everything that the n8n section points to is there, with icons and codex files beside it', () => {
  for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
    const beside = readdirSync(path.dirname(installed(file)));
    expect(beside).toEqual(expect.arrayContaining([path.basename(file), 'chord.svg', 'chord.dark.svg']));
  }
  for (const file of manifest.n8n.nodes)
    expect(existsSync(installed(file.replace(/\.js$/, '.json')))).toBe(true);
});

it('the licences of what is bundled ship with it', () => {
  const licences = readFileSync(installed('dist/THIRD_PARTY_LICENSES.md'), 'utf8');
  for (const name of ['zod', 'execa']) expect(licences).toMatch(new RegExp(`^## ${name} \\d`, 'm'));
  expect(existsSync(installed('LICENSE'))).toBe(true);
});

it('nothing but the package is in the archive', () => {
  const strange = filesIn(installed())
    .map((file) => path.relative(installed(), file))
    .filter((file) => !/^(dist\/|package\.json$|README\.md$|LICENSE$)/.test(file));
  expect(strange).toEqual([]);
});
