import { sleep, type Clock } from '../clock';
import type { Provider } from '../config/loadConfig';
import type { Script } from '../scenario/Script';
import { viewOf } from '../scenario/view';
import type { Usage } from '../scenario/scenario';
import { goDuration } from './duration';
import type { Message, ToolCall } from './message';
import { attempt, type Attempt } from './stream';

/** What the model answered in the end. */
export type Answer =
  | { end: 'answer'; text: string; toolCalls: ToolCall[]; usage: Usage | undefined; cutOff: boolean }
  /** The answer was of no use; it is asked for again. */
  | { end: 'malformed'; usage: Usage | undefined }
  /** The turn was cancelled; `text` is what had come by then. */
  | { end: 'stopped'; text: string }
  /** Chord gave up: what it says, and the cause alone. */
  | { end: 'failed'; message: string; cause: string };

/** One question to the model, with all retries. */
export interface ModelRequest {
  messages: Message[];
  tools: string[];
  toolChoice: string;
  signal: AbortSignal;
  provider: Provider;
  /** Rounds after which to give up; 0 means never. */
  maxRounds: number;
}

/** What a request tells while it runs. */
export interface RequestEvents {
  activity(type: string, detail: string): void;
  /** An attempt failed and another one follows. */
  retried(message: string): void;
  /** Text that was streamed is taken back. */
  rolledBack(reason: string): void;
  /** A raw envelope of the scenario. */
  emit(type: string, payload: Record<string, unknown>): void;
}

/** Seconds for which a key that was refused is left alone. Not measured: 403, which the sources treat as 401. */
const KEY_COOLDOWN = 60;

function cooldownOf(failure: Attempt): number {
  if (failure.end !== 'refused') return 0;
  if (failure.status === 429) return failure.retryAfter || KEY_COOLDOWN;
  if (failure.status === 401 || failure.status === 403) return KEY_COOLDOWN;
  return failure.status === 400 ? 1 : 0;
}

/** Milliseconds before the next round. Not measured: how far an exponential wait grows. */
function backoff(provider: Provider, round: number): number {
  if (provider.backoff === 'none') return 0;
  return provider.backoff === 'fixed' ? provider.delay : Math.min(provider.delay * 2 ** (round - 1), 60_000);
}

/**
 * Asks the scripted model until it answers, Chord gives up, or the turn is cancelled.
 *
 * The order of activities is the measured one: `connecting` twice at first and once in every further round;
 * `streaming` once a request, however many rounds it takes.
 */
export async function ask(
  script: Script,
  clock: Clock,
  request: ModelRequest,
  events: RequestEvents,
): Promise<Answer> {
  const { signal, provider } = request;
  const breath = () => sleep(clock, 0, signal);
  let streaming = false;
  // Chord takes some milliseconds from a message to this: what a client wrote right behind it is read before.
  if (!(await breath())) return { end: 'stopped', text: '' };
  events.activity('connecting', '');
  if (!(await breath())) return { end: 'stopped', text: '' };
  for (let round = 1; ; round += 1) {
    events.activity('connecting', '');
    const nth = script.next();
    const reply = script.answer(viewOf(request.messages, request.tools, request.toolChoice, nth));
    for (const { type, payload } of reply.emit ?? []) events.emit(type, payload ?? {});
    const defaults = script.scenario.defaults;
    const outcome = await attempt(
      reply,
      { nth, defaults, url: provider.url, signal, clock },
      {
        headers: () => events.activity('waiting_headers', ''),
        body: () => events.activity('waiting_token', ''),
        token: () => {
          if (!streaming) events.activity('streaming', '');
          streaming = true;
        },
      },
    );
    if (outcome.end === 'answer' || outcome.end === 'malformed' || outcome.end === 'stopped') return outcome;
    const failedAt = clock.now().getTime();
    const final = `LLM stream failed: ${outcome.message}`;
    const last = request.maxRounds > 0 && round >= request.maxRounds;
    if (outcome.end === 'refused' && outcome.invalid) {
      events.rolledBack(final);
      return { end: 'failed', message: final, cause: outcome.message };
    }
    if (outcome.end === 'cut' && outcome.visible) events.rolledBack(outcome.message);
    events.retried(outcome.message);
    if (last) {
      events.rolledBack(final);
      return { end: 'failed', message: final, cause: outcome.message };
    }
    if (outcome.end === 'cut' && outcome.visible) events.activity('retrying', 'same key');
    if (outcome.end === 'empty') events.activity('retrying_key', 'next');
    events.activity('retrying', `round ${round + 1}`);
    if (!(await sleep(clock, backoff(provider, round), signal))) return { end: 'stopped', text: '' };
    const cooled = failedAt + cooldownOf(outcome) * 1000;
    const left = cooled - clock.now().getTime();
    if (left > 0) {
      const detail = goDuration(Math.ceil(left / 1000));
      events.activity('cooling', detail);
      events.activity('cooling', detail);
      if (!(await sleep(clock, left, signal))) return { end: 'stopped', text: '' };
    }
  }
}
