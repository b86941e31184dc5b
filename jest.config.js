'use strict';

/** Files whose name ends in `.test.ts` are tests; what they need of the build, `test/run.mjs` makes first. */
const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: {
    '^.+\\.[tj]sx?$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
  },
  moduleNameMapper: { '^execa$': '<rootDir>/build/execa.cjs' },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/build', '<rootDir>/.cache'],
};

/** One n8n serves all files of a run. */
const withN8n = {
  globalSetup: '<rootDir>/test/e2e/support/globalSetup.ts',
  globalTeardown: '<rootDir>/test/e2e/support/globalTeardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/e2e/support/eachFile.ts'],
};

/** `isolation` needs root on Linux or other programs beside the real n8n; `unit` is quick; `e2e` needs the real n8n; `chord` the real Chord. */
module.exports = {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/test/e2e/',
        '<rootDir>/test/isolation/',
        '<rootDir>/test/chord/real/',
      ],
    },
    { ...common, ...withN8n, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.ts'] },
    { ...common, ...withN8n, displayName: 'isolation', testMatch: ['<rootDir>/test/isolation/**/*.test.ts'] },
    { ...common, displayName: 'chord', testMatch: ['<rootDir>/test/chord/real/**/*.test.ts'] },
  ],
};
