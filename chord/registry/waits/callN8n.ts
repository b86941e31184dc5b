import * as http from 'node:http';
import * as https from 'node:https';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../clock';

/** What a resume call came to. */
export type ResumeAnswer =
  /** The execution goes on. */
  | 'resumed'
  /** Not now: n8n stores the wait still, starts, could not do it, or cannot be reached. */
  | 'later'
  /** The execution was stopped, has ended, or was deleted. */
  | 'gone'
  /** n8n has passed the call on to us, and what it did then is not known. It must not be called again. */
  | 'unanswered';

/** Makes the one-time tokens of a wait's resume calls. */
export interface Tokens {
  /** The token of the next call; all earlier ones are worth nothing from now on. */
  next(): string;
  /** n8n has passed the call with the last token on to us, and we said that the execution may go on. */
  isAccepted(): boolean;
}

/** What somebody at an address answered. */
export interface HttpAnswer {
  status: number;
  body: string;
}

/**
 * A call that n8n has not even passed on to us by then reached nobody. One that it has passed on is waited for without
 * limit: under a concurrency limit n8n answers when it has a free slot (measured). Milliseconds.
 */
const reachTimeoutMs = 10_000;

/** How much of an answer is read. */
const bodyLimit = 10_000;

/** The certificate of this very machine need not be checked: nothing lies in between, and it is often self-signed. */
function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return name === 'localhost' || own.some(({ address }) => address === name);
}

/**
 * One request, past every proxy: n8n installs a global one when proxy variables are set, and this call stays at home.
 *
 * @param isAccepted whether the time limit does not count any more
 * @throws the network's error, or that the address is none
 */
export async function request(
  address: string,
  { method, body = '' }: { method: 'GET' | 'POST'; body?: string },
  clock: Clock,
  isAccepted: () => boolean = () => false,
): Promise<HttpAnswer> {
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  const agent = secure
    ? new https.Agent({ keepAlive: false, rejectUnauthorized: !isThisMachine(url.hostname) })
    : new http.Agent({ keepAlive: false });
  return await new Promise((resolve, reject) => {
    const headers = {
      accept: 'application/json',
      ...(body !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const call = (secure ? https : http).request(url, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (text.length < bodyLimit) text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on('error', reject);
    });
    const limit = clock.after(reachTimeoutMs, () => {
      if (!isAccepted()) call.destroy(new Error(`No answer within ${reachTimeoutMs / 1000} seconds.`));
    });
    call.on('error', reject);
    call.on('close', () => limit.cancel());
    call.end(body);
  });
}

/** Why nobody answered. Several tries at once, as for `localhost`, have a code and no message. */
const reasonOf = (error: unknown): string => {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  return message === '' ? code : message;
};

/** An address for people: without its path, which is signed. */
const originOf = (address: string): string => {
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return origin === 'null' ? address.replace(/[?].*/s, '') : origin;
};

/** n8n's own words for an execution that it does not have, or that waits for something else. */
const noSuchWait = /"message":"[^}]*(execution|node to process webhook)/i;

/**
 * Reads an answer. 409 has two meanings (measured): the wait is not stored yet, or the execution is over. So has 404:
 * n8n's own means that there is no such execution; while n8n starts, its web server has no such page yet, and another
 * program may sit on the port.
 *
 * @param isAccepted n8n has passed the call on to us: from then on only n8n's own refusal takes that back. A proxy that
 *   lost patience says nothing of it
 */
export function readAnswer({ status, body }: HttpAnswer, isAccepted: boolean): ResumeAnswer {
  if (isAccepted) {
    if (status === 200) return 'resumed';
    if (![404, 409, 500].includes(status) || !body.includes('"message":')) return 'unanswered';
  }
  if (status === 404 && noSuchWait.test(body)) return 'gone';
  if (status === 409) return /running already/i.test(body) ? 'later' : 'gone';
  return 'later';
}

/**
 * Resumes an execution. Nothing but the token is sent: the result is taken from the registry, so that nobody who
 * guesses the address can feed one in.
 *
 * @param addresses tried in turn until n8n has passed a call on to us; of the others the last answer counts
 * @param failed called with the reason why an address did not work
 */
export async function callN8n(
  addresses: readonly string[],
  tokens: Tokens,
  clock: Clock,
  failed: (reason: string) => void = () => undefined,
): Promise<ResumeAnswer> {
  let answer: ResumeAnswer = 'later';
  for (const address of addresses) {
    const body = JSON.stringify({ token: tokens.next() });
    try {
      const said = await request(address, { method: 'POST', body }, clock, () => tokens.isAccepted());
      answer = readAnswer(said, tokens.isAccepted());
      if (answer === 'later') failed(`${originOf(address)} answered ${said.status}`);
    } catch (error) {
      // Nobody listens there; the next address may be right, or n8n is still starting.
      failed(`${originOf(address)}: ${reasonOf(error)}`);
      if (tokens.isAccepted()) return 'unanswered';
    }
    if (tokens.isAccepted()) return answer;
  }
  return answer;
}
