import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';
import { builtinModules } from 'node:module';
import tseslint from 'typescript-eslint';
import { filename } from './eslint/filename.js';

const typescript = ['chord', 'credentials', 'nodes', 'simulator', 'rig', 'demo', 'bench', 'test'].map(
  (folder) => `${folder}/**/*.ts`,
);

/** n8n's rules for community nodes speak of the package that n8n loads; the rest of the repository is not in it. */
const packageOnly = configWithoutCloudSupport.map((config) =>
  '@n8n/community-nodes' in (config.plugins ?? {}) && config.files?.includes('**/*.ts')
    ? { ...config, files: ['nodes/**/*.ts', 'credentials/**/*.ts'] }
    : config,
);

/** A layer may import itself and what `from` lists; the rest of the repository is closed to it. */
const layer = (target, from) => ({
  target: `./${target}`,
  from: './',
  except: ['node_modules', target, ...from].map((path) => `./${path}`),
  message: `Imports point one way: ${target} may not know this.`,
});

const base = ['chord/errors.ts', 'chord/errorDocument.ts', 'chord/clock.ts'];
const protocol = [...base, 'chord/protocol'];
const process = [...protocol, 'chord/process'];
const session = [...process, 'chord/session'];

const noN8n = {
  group: ['n8n-*', '@n8n/*'],
  message: 'Only the nodes, the credential and what tests them know n8n.',
};

const noExeca = { group: ['execa'], message: 'Only chord/process/spawnProgram.ts imports execa.' };

const noSecondWay = {
  group: ['**/chord'],
  importNames: ['getRegistry'],
  message: 'Nodes take the registry from nodes/shared/run/registry.ts.',
};

const restricted = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

export default tseslint.config(
  { ignores: ['build', '.cache', 'coverage', 'test/chord/lab', 'test/chord/recordings'] },
  ...packageOnly,
  {
    files: typescript,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { local: { rules: { filename } } },
    rules: {
      'local/filename': 'error',
      ...restricted(noExeca),
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            layer('chord/protocol', base),
            layer('chord/process', protocol),
            layer('chord/session', process),
            layer('chord/registry', session),
            layer('nodes', ['chord/index.ts']),
            layer('credentials', []),
            layer('simulator', protocol),
          ],
        },
      ],
      // The compiler looks at names and members already, and faster.
      'import-x/named': 'off',
      'import-x/namespace': 'off',
      'import-x/default': 'off',
      'import-x/no-unresolved': 'off',
      'import-x/no-named-as-default-member': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions'] }],
      // An interface that is asynchronous for a later implementation has synchronous ones too.
      '@typescript-eslint/require-await': 'off',
      // `String(value)` of an unknown value is how errors name it.
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  // It is about the codes; the class carries them.
  { files: ['chord/errors.ts'], rules: { 'local/filename': 'off' } },
  { files: ['chord/**/*.ts', 'simulator/**/*.ts'], rules: restricted(noExeca, noN8n) },
  { files: ['chord/process/spawnProgram.ts'], rules: restricted(noN8n) },
  { files: ['nodes/**/*.ts'], rules: restricted(noExeca, noSecondWay) },
  // A resume call has to reach its run in any mode, so that the run ends with the reason.
  {
    files: ['nodes/shared/run/registry.ts', 'nodes/shared/suspend/resumeWebhook.ts'],
    rules: restricted(noExeca),
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // jest's asymmetric matchers are `any`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  { files: ['demo/**', 'bench/**', 'docs/**', 'test/e2e/support/**'], rules: { 'no-console': 'off' } },
);
