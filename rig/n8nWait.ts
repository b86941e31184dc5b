import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nClient } from './N8nClient';

/** n8n stores a wait some milliseconds after the mail about it has left. */
const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 25;

/** The link among these that opens the form of an execution that waits. */
export function formLinkOf(links: string[]): string | undefined {
  return links.find((link) => link.includes('/webhook-waiting/'));
}

/**
 * Settles when the form behind a link can be opened: a mail leaves a moment before n8n has stored that the execution
 * waits for its answer. No person opens it so soon; a program would, and n8n 1 then answers with an error, or loses
 * what the execution did before (measured, 1.123.81).
 */
export async function formReady(client: N8nClient, link: string): Promise<void> {
  const id = /(?:webhook|form)-waiting\/([^/?]+)/.exec(link)?.[1] ?? '';
  const deadline = Date.now() + LIMIT_MS;
  while (Date.now() < deadline) {
    const { status, waits } = await client.execution(id);
    if (status === 'waiting' && waits) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`Execution ${id} does not wait for an answer.`);
}
