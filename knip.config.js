'use strict';

/**
 * Finds files, exports and dependencies that nothing uses. `knip --production` leaves the tests out, and so finds what
 * only they keep alive; what is meant for them alone says `@internal`.
 */
const production = process.argv.includes('--production');

/** @type {import('knip').KnipConfig} */
module.exports = {
  // `!` marks what is looked at in production, too.
  entry: [
    'nodes/**/*.node.ts!',
    'credentials/*.credentials.ts!',
    'simulator/chord.ts!',
    // The tests drive n8n by all of it.
    'rig/*.{ts,mjs}!',
    'demo/{main.ts,start.mjs}!',
    'bench/{start.mjs,main.ts,topics/*.ts,children/*.ts}!',
    '{gulpfile,licences}.js!',
    // Programs that tests start.
    'test/fixtures/*.mjs',
    'test/*/hosts/*.ts',
    'test/chord/{lab,measured}/*.mjs',
  ],
  project: ['**/*.{ts,js,mjs}!', '!{test,docs,eslint}/**!', '!{jest,eslint,knip}.config.*!'],
  // A limit that its file keeps and its test reads is alive.
  ignoreExportsUsedInFile: production,
  // Of the operating system.
  ignoreBinaries: ['mkfifo'],
};
