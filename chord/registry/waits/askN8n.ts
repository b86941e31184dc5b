import type { Clock } from '../../clock';
import { request, type HttpAnswer } from './callN8n';

/** What n8n says of an execution that waits for us, or did. */
export type WaitAnswer =
  /** It waits, and our node passed the question on to us. */
  | 'waits'
  /** It runs: n8n stores the wait a moment later, or somebody else has resumed it. */
  | 'runs'
  /** n8n knows it, but not this wait: stored in part, or it waits somewhere else. */
  | 'elsewhere'
  /** It was stopped, has ended, or was deleted. */
  | 'over'
  /** n8n did not say. */
  | 'silent';

/** Our webhook adds this for whoever looks at the address of a wait: n8n asks it only while the execution waits. */
export const waitsMark = { waits: true } as const;

/** Reads n8n's answer to a look at the address of a wait (measured on 2.40.7 and 1.123.81). */
function readWaitAnswer({ status, body }: HttpAnswer): WaitAnswer {
  if (status === 405 && body.includes('"waits":true')) return 'waits';
  if (!/"message":"[^}]*(execution|node to process webhook)/i.test(body)) return 'silent';
  if (status === 409) return /running already/i.test(body) ? 'runs' : 'over';
  if (status !== 404) return 'silent';
  return /does not exist/i.test(body) ? 'over' : 'elsewhere';
}

/**
 * Asks n8n whether an execution still waits, which changes nothing.
 *
 * @param addresses tried in turn until one knows it. One that does not may be another n8n on this machine, whose port is
 *   the usual one
 */
export async function askN8n(addresses: readonly string[], clock: Clock): Promise<WaitAnswer> {
  let answer: WaitAnswer = 'silent';
  for (const address of addresses) {
    const said = await request(address, { method: 'GET' }, clock).then(
      readWaitAnswer,
      () => 'silent' as const,
    );
    if (said === 'over') answer = said;
    else if (said !== 'silent') return said;
  }
  return answer;
}
