// Starts the demo: `npm run demo`. Plain JavaScript, since it must run before anything is installed.

import { createRequire } from 'node:module';

import { ensureDependencies } from '../rig/dependencies.mjs';

ensureDependencies();
const { register } = await import('tsx/cjs/api');
register();
createRequire(import.meta.url)('./main.ts');
