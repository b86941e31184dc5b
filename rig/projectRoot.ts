import path from 'node:path';

/** The folder of this project. */
export const projectRoot = path.resolve(__dirname, '..');
