import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Calls } from '../../../../chord/registry/calls/Calls';
import { Owners } from '../../../../chord/registry/owners/Owners';
import { SuspendedWaits } from '../../../../chord/registry/waits/SuspendedWaits';
import type { Wait } from '../../../../chord/registry/waits/waitFile';
import { FakeClock } from '../../../support/FakeClock';
import { temporaryFolder } from '../../../support/temporaryFolder';
import { until } from '../../../support/until';
import { FakeN8n } from './FakeN8n';

/** An error with these fields. */
export const errorLike = (fields: object) => expect.objectContaining(fields) as Error;

/** A wait that is about to begin. */
export const request = (callId = 'e1/node/0/0') => ({
  callId,
  executionId: 'e1',
  resumeUrl: 'http://n8n.example/webhook-waiting/e1/node',
  n8nAddress: '',
  sessionKey: 'c1:default::/p',
  waiter: 'Chord Send in workflow Tasks, execution e1',
  workflow: 'Tasks',
  node: 'Chord Send',
});

/** Waits of one n8n, as it were, and what is around them. */
export interface Started {
  folder: string;
  clock: FakeClock;
  n8n: FakeN8n;
  calls: Calls;
  waits: SuspendedWaits;
  /** What was said in n8n's log. */
  said: string[];
}

/** Begins with nothing parked; with the folder of another one, as the next n8n. */
export function start(folder = temporaryFolder()): Started {
  const clock = new FakeClock();
  const n8n = new FakeN8n();
  const calls = new Calls(folder, clock);
  const owners = new Owners(folder, new FakeClock());
  const said: string[] = [];
  const waits = new SuspendedWaits(owners, clock, calls, n8n, (problem) => said.push(problem));
  return { folder, clock, n8n, calls, waits, said };
}

/** n8n has stored that the execution waits. */
export const stored = () => true;

/** A call that goes on until the test ends it. */
export function openCall() {
  let end: (value: unknown) => void = () => undefined;
  const promise = new Promise((resolve) => (end = resolve));
  return { call: () => promise, end: (value: unknown) => end(value) };
}

/** A call that does not end. */
export const never = () => new Promise<never>(() => undefined);

/** n8n has refused a resume call, which will be made again. */
export const untilRetry = (clock: FakeClock) => until(() => clock.delays.some((ms) => ms <= 5000));

/** The files of the waits. */
export const files = (folder: string): string[] =>
  readdirSync(join(folder, 'waits')).map((name) => join(folder, 'waits', name));

/** Makes the waits of a folder look as if an n8n that is gone had left them. */
export function orphan(folder: string): void {
  for (const file of files(folder)) {
    const wait = JSON.parse(readFileSync(file, 'utf8')) as Wait;
    writeFileSync(file, JSON.stringify({ ...wait, owner: { ...wait.owner, start: '1' } }));
  }
}
