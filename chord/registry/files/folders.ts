import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { homeFolder } from '../../process/homeFolder';

/**
 * The folder of all files that this package keeps. It lies in n8n's own folder, so that n8n processes that share it
 * also share our locks and pins.
 *
 * @throws ChordError `no_home_folder`
 */
export const defaultFolder = (environment: NodeJS.ProcessEnv = process.env): string => {
  const { N8N_USER_FOLDER: userFolder = '' } = environment;
  return join(userFolder === '' ? homeFolder() : userFolder, '.n8n', 'chord');
};

/** Makes a folder of ours, with its parents, that only this user can enter. */
export const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
};
