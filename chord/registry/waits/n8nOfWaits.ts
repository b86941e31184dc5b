import type { Clock } from '../../clock';
import { askN8n, type WaitAnswer } from './askN8n';
import { callN8n, type ResumeAnswer, type Tokens } from './callN8n';
import { resumeAddresses } from './resumeAddresses';
import type { Wait } from './waitFile';

/** What waits ask of n8n; tests put in their own. */
export interface N8nOfWaits {
  /** Has an execution go on. */
  call(wait: Wait, tokens: Tokens, failed: (reason: string) => void): Promise<ResumeAnswer>;
  /** Asks whether an execution still waits, which changes nothing. */
  ask(wait: Wait): Promise<WaitAnswer>;
}

/** The n8n of this machine. */
export const thisN8n = (clock: Clock): N8nOfWaits => {
  const addresses = (wait: Wait) => resumeAddresses(wait.resumeUrl, wait.n8nAddress);
  return {
    call: (wait, tokens, failed) => callN8n(addresses(wait), tokens, clock, failed),
    ask: (wait) => askN8n(addresses(wait), clock),
  };
};
