import type { Clock } from '../../clock';
import { ChordError } from '../../errors';
import type { WaitAnswer } from './askN8n';

/** n8n that gives no answer is asked again so often, and so long. Meanwhile the message keeps its place. */
const askAgainMs = 1000;
const askForMs = 60_000;

/** An execution whose message is about to be written. */
export interface Asked {
  /** Asks n8n once. */
  ask(): Promise<WaitAnswer>;
  /** n8n may not have stored yet that the execution waits; until then it says that it runs. */
  isFresh(): boolean;
  /** The wait was ended meanwhile. */
  isEnded(): boolean;
  /** For people: the node and its workflow. */
  readonly waiter: string;
  readonly sessionKey: string;
}

const pause = (clock: Clock): Promise<void> =>
  new Promise((resolve) => void clock.after(askAgainMs, () => resolve()));

/** Nothing was written, and nothing will be. */
const notSent = ({ waiter, sessionKey }: Asked): ChordError =>
  new ChordError('interrupted', `The execution of ${waiter} was ended before anything was sent.`, {
    sessionKey,
    description: 'Nothing reached Chord, so you can safely try again.',
    details: { written: false },
  });

/**
 * Makes sure that an execution still waits before its message is written: it may have stood behind others for hours, and
 * n8n does not report when somebody stops an execution that waits.
 *
 * @throws ChordError `interrupted` when it does not wait any more, `n8n_unreachable` when n8n does not say
 */
export async function stillWaits(asked: Asked, clock: Clock): Promise<void> {
  const until = clock.now() + askForMs;
  for (;;) {
    if (asked.isEnded()) throw notSent(asked);
    const said = await asked.ask();
    if (said !== 'silent') {
      const waits = said === 'waits' || (said !== 'over' && asked.isFresh());
      if (waits && !asked.isEnded()) return;
      throw notSent(asked);
    }
    if (clock.now() >= until) break;
    await pause(clock);
  }
  throw new ChordError(
    'n8n_unreachable',
    `Nothing was sent: n8n did not say whether the execution of ${asked.waiter} is still waiting.`,
    {
      sessionKey: asked.sessionKey,
      description:
        'Set "n8n Address" in the Chord credential to an address at which n8n can reach itself, or set "Wait Mode" to "Keep the Workflow Running".',
      details: { written: false },
    },
  );
}
