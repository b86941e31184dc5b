import type { WaitAnswer } from '../../../../chord/registry/waits/askN8n';
import type { ResumeAnswer, Tokens } from '../../../../chord/registry/waits/callN8n';
import type { N8nOfWaits } from '../../../../chord/registry/waits/n8nOfWaits';
import type { Wait } from '../../../../chord/registry/waits/waitFile';

/** n8n, as the waits see it: says what the test wants, and keeps the tokens that it was given. */
export class FakeN8n implements N8nOfWaits {
  readonly tokens: string[] = [];

  /** What it says of waits, one after the other; the last one for good. */
  says: WaitAnswer[] = ['waits'];

  asked = 0;

  /** What happens while it is asked. */
  onAsk: () => void = () => undefined;

  ask = async (): Promise<WaitAnswer> => {
    this.asked += 1;
    this.onAsk();
    return (this.says.length > 1 ? this.says.shift() : this.says[0]) ?? 'silent';
  };

  answers: ResumeAnswer[] = [];

  /** What n8n does with the call before it answers. */
  onCall: (wait: Wait, token: string) => void = () => undefined;

  /** Why nothing came of a call. */
  reason = '';

  /** The waits that it was called for. */
  readonly waits: Wait[] = [];

  call = async (
    wait: Wait,
    tokens: Tokens,
    failed: (reason: string) => void = () => undefined,
  ): Promise<ResumeAnswer> => {
    const token = tokens.next();
    this.tokens.push(token);
    this.waits.push(wait);
    if (this.reason !== '') failed(this.reason);
    this.onCall(wait, token);
    return this.answers.shift() ?? 'resumed';
  };
}
