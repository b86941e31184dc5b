import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { writeAtomically } from '../files/atomicFile';
import { processIdentitySchema } from '../owners/processIdentity';

/**
 * An execution of n8n that waits for one call: where it is called after a restart, too. What was written and its
 * outcome are stored with the call.
 */
const waitSchema = z.object({
  version: z.literal(1),
  /** Execution, node, run and item: the call that is waited for. */
  callId: z.string(),
  executionId: z.string(),
  /** n8n's address of the waiting node, with n8n's own signature where it has one. */
  resumeUrl: z.string(),
  /** Address of n8n as it can be reached from itself; empty: found by itself. */
  n8nAddress: z.string(),
  sessionKey: z.string(),
  /** For people: the node and its workflow. */
  waiter: z.string(),
  workflow: z.string().default(''),
  node: z.string().default(''),
  createdAt: z.string(),
  owner: processIdentitySchema,
});

/** An execution of n8n that waits for one call. */
export type Wait = z.infer<typeof waitSchema>;

/** The folder of waits below the folder of all our files. */
const folderOf = (folder: string): string => join(folder, 'waits');

const fileOf = (folder: string, callId: string): string =>
  join(folderOf(folder), `${createHash('sha256').update(callId).digest('hex')}.json`);

/** Keeps a wait on the disk; atomic, and only this user can read it. */
export const writeWait = (folder: string, wait: Wait): Promise<void> =>
  writeAtomically(fileOf(folder, wait.callId), `${JSON.stringify(wait)}\n`);

/** The execution has its outcome, or can never get it. */
export const removeWait = (folder: string, callId: string): Promise<void> =>
  rm(fileOf(folder, callId), { force: true });

/**
 * All waits on the disk. Synchronous, since it is asked while n8n loads the nodes; nearly always there is no folder.
 * A file that cannot be read says nothing about any execution and is left out.
 */
export function readWaits(folder: string): Wait[] {
  return fileNames(folderOf(folder)).flatMap((name) => parse(join(folderOf(folder), name)) ?? []);
}

/** One wait, as the disk has it. */
export const readWait = (folder: string, callId: string): Wait | undefined => parse(fileOf(folder, callId));

function parse(file: string): Wait | undefined {
  try {
    return waitSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}
