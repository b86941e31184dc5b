import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { writeAtomically } from '../files/atomicFile';
import { outcomeSchema } from './outcome';

/** A call of one item, as it is kept until its node has run to its end. */
const callSchema = z.object({
  version: z.literal(1),
  /** Execution, node, run and item. */
  callId: z.string(),
  sessionKey: z.string(),
  /** Its line was written, or was just about to be: it must never be written again. */
  written: z.boolean(),
  /** RFC 3339; when it was noted, or last changed. */
  at: z.string(),
  /** Set once the call has ended. */
  outcome: outcomeSchema.optional(),
});

/** A call of one item. */
export type Call = z.infer<typeof callSchema>;

/** The run of a node that a call belongs to: its name without the item. */
export const runOf = (callId: string): string => callId.slice(0, Math.max(0, callId.lastIndexOf('/')));

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The folder of calls below the folder of all our files. */
const callsFolder = (folder: string): string => join(folder, 'calls');

const folderOfRun = (folder: string, run: string): string => join(callsFolder(folder), hash(run));

const fileOf = (folder: string, callId: string): string =>
  join(folderOfRun(folder, runOf(callId)), `${hash(callId)}.json`);

/** Keeps a call on the disk; atomic, and only this user can read it. */
export const writeCall = (folder: string, call: Call): Promise<void> =>
  writeAtomically(fileOf(folder, call.callId), `${JSON.stringify(call)}\n`);

/** A call that is kept; one that cannot be read is as good as none. Synchronous, since nearly always there is none. */
export function readCall(folder: string, callId: string): Call | undefined {
  const file = fileOf(folder, callId);
  if (!existsSync(file)) return undefined;
  try {
    return callSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Forgets one call. */
export const removeCall = (folder: string, callId: string): Promise<void> =>
  rm(fileOf(folder, callId), { force: true });

/** Forgets all calls of a node's run. */
export async function removeRun(folder: string, run: string): Promise<void> {
  const calls = folderOfRun(folder, run);
  if (existsSync(calls)) await rm(calls, { recursive: true, force: true });
}

/** Forgets all runs in which nothing has happened since then, in milliseconds since 1970. */
export async function removeOldRuns(folder: string, before: number): Promise<void> {
  const calls = callsFolder(folder);
  for (const name of await readdir(calls).catch((): string[] => [])) {
    const run = join(calls, name);
    const { mtimeMs } = await stat(run);
    if (mtimeMs < before) await rm(run, { recursive: true, force: true });
  }
}
