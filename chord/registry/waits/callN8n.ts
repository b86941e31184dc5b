import * as http from 'node:http';
import * as https from 'node:https';

/** What n8n said to a resume call. */
export type ResumeAnswer =
  /** The execution goes on. */
  | 'resumed'
  /** Not now: n8n stores the wait still, starts, or cannot be reached. */
  | 'later'
  /** The execution was stopped, has ended, or was deleted. */
  | 'gone';

/** n8n answers a resume call at once; this long means that nobody is there. Milliseconds. */
const answerTimeoutMs = 10_000;

/** How much of an answer is read. */
const bodyLimit = 10_000;

/** One POST, past every proxy: n8n installs a global one when proxy variables are set, and this call stays at home. */
function post(address: string, token: string): Promise<{ status: number; body: string }> {
  const url = new URL(address);
  const body = JSON.stringify({ token });
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        agent: new Agent({ keepAlive: false }),
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(answerTimeoutMs),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          if (text.length < bodyLimit) text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

/**
 * Reads n8n's answer. 409 has two meanings (measured): the wait is not stored yet, or the execution is over. So has 404:
 * n8n's own, as JSON, means that there is no such execution; while n8n starts, its web server has no such page yet.
 */
export function readAnswer(status: number, body: string): ResumeAnswer {
  // n8n that prepares its database says so with 200 to whatever is asked (read).
  if (status === 200) return /starting up/i.test(body) ? 'later' : 'resumed';
  if (status === 404) return body.includes('"message":') ? 'gone' : 'later';
  if (status === 409) return /running already/i.test(body) ? 'later' : 'gone';
  return 'later';
}

/**
 * Resumes an execution. Nothing but the token is sent: the result is taken from the registry, so that nobody who
 * guesses the address can feed one in.
 *
 * @param addresses tried in turn until one answers
 */
export async function callN8n(addresses: readonly string[], token: string): Promise<ResumeAnswer> {
  let answer: ResumeAnswer = 'later';
  for (const address of addresses) {
    try {
      const { status, body } = await post(address, token);
      answer = readAnswer(status, body);
      if (answer === 'resumed') return answer;
      // Another program may sit on the port that we guessed: only the last address has the last word.
    } catch {
      // Nobody listens there; the next address may be right, or n8n is still starting.
    }
  }
  return answer;
}
