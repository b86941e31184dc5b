import type { Measurement } from './Measurement';

/** What a topic's process tells the one that started it. */
export type TopicMessage = { progress: string } | { measurement: Measurement };

/** Says how far the topic is. */
export const tellProgress = (progress: string): void => send({ progress });

/**
 * Runs a topic in this process, which is its own: what another one left in the heap or taught the compiler would
 * count for it. Ends the process, and with it every session that is still open.
 */
export async function runTopic(measure: () => Promise<Measurement>): Promise<void> {
  try {
    send({ measurement: await measure() }, () => process.exit());
  } catch (error) {
    // Node would print a line of the minified bundle with it.
    console.error(error instanceof Error ? error.stack : error);
    process.exit(1);
  }
}

function send(message: TopicMessage, sent?: () => void): void {
  process.send?.(message, undefined, undefined, sent);
}
