import { randomUUID } from 'node:crypto';
import { ChordError } from '../errors';
import { encodeCommand, maximumLineBytes } from '../protocol/commands';
import type { CallControl, CallResult, ResultDocument, SendRequest } from './contract';
import type { Receipt } from './Inputs';
import { LocalOutput } from './LocalOutput';
import { resultDocument } from './results';
import type { Entry, Verdict } from './SendQueue';
import type { SessionCore } from './SessionCore';
import { isBlank, needsTerminal, reachesModel, slashCommand, startsLoop } from './slash';
import type { TurnWait } from './Turns';
import { callResult, checkWait, waitOverError } from './wait';
import { WaitLimit } from './WaitLimit';

type Slash = ReturnType<typeof slashCommand>;

/** What of the call is noted for a repeated try. */
interface Note {
  written(): void;
  withdrawn(): void;
}

/** The text as it is written. */
const contentOf = (request: SendRequest): string =>
  request.loop ? `/loop on ${request.message}` : request.message;

/**
 * Checks a message before a process is started for it.
 *
 * @throws ChordError `empty_message`, `command_not_allowed` or `message_too_long`
 */
export function checkMessage(request: SendRequest): void {
  if (isBlank(request.message)) {
    throw new ChordError('empty_message', 'There is no message to send.', {
      description: 'Type a message, or check the expression that should give one.',
    });
  }
  const typed = slashCommand(request.message);
  if (typed && (request.loop || !request.allowCommands)) {
    throw new ChordError(
      'command_not_allowed',
      `The message begins with a slash (${typed.name}), and was not sent.`,
      {
        description: request.loop
          ? 'A task that runs in a loop cannot be a command.'
          : 'Chord would take it as a command. Switch "Allow Commands" on if that is meant, or put a word in front.',
      },
    );
  }
  const bytes = Buffer.byteLength(
    encodeCommand({ type: 'send', content: contentOf(request), request_id: randomUUID() }),
  );
  if (bytes > maximumLineBytes) {
    throw new ChordError(
      'message_too_long',
      `The message is too long: ${bytes} bytes with its line, of ${maximumLineBytes} that Chord reads. It was not sent.`,
      { description: 'Shorten it, or write the text to a file in the project and name the file.' },
    );
  }
}

/** One message on its way, from the queue to its end. */
class Sending {
  private written = false;

  private receipt: Promise<Receipt>;

  private receive: (receipt: Receipt) => void = () => undefined;

  private readonly id = randomUUID();

  private readonly content: string;

  private readonly slash: Slash;

  private wait: TurnWait | undefined;

  private joined = false;

  constructor(
    private readonly core: SessionCore,
    private readonly request: SendRequest,
    private readonly note: Note,
  ) {
    this.content = contentOf(request);
    this.slash = slashCommand(this.content);
    this.receipt = new Promise((resolve) => {
      this.receive = resolve;
    });
  }

  async run(control: CallControl): Promise<CallResult> {
    const { core, request } = this;
    const limit = new WaitLimit(core.clock, request.timeoutMs, control.signal, (kind) =>
      this.overError(kind),
    );
    core.limits.add(limit);
    let entry: Entry | undefined;
    try {
      await limit.race(core.host.ensureProcess());
      await limit.race(this.checkCapabilities());
      entry = core.queue.enter(request);
      const verdict = await limit.race(this.letIn(entry));
      if (verdict.kind === 'skip') return finished(this.result('skipped', { reason: verdict.reason }));
      return await this.write(verdict, entry, limit);
    } catch (error) {
      await this.cancelIfAsked(error);
      throw error;
    } finally {
      limit.dispose();
      core.limits.delete(limit);
      if (request.waitFor !== 'nothing' || !this.written) {
        this.wait?.leave();
        entry?.leave();
      }
    }
  }

  /** What only the running Chord can tell. */
  private async checkCapabilities(): Promise<void> {
    const { core, request, slash } = this;
    if (request.waitFor === 'jobs' || slash) await core.known();
    checkWait(core, request);
    if (slash && core.state.capabilities.roles === false && reachesModel(slash)) {
      throw new ChordError(
        'not_supported',
        `This Chord does not know ${slash.name}; its model would get it as text.`,
        {
          description: 'Send it without the slash if it is meant as text, or install a newer Chord.',
        },
      );
    }
    if (core.state.transferring) {
      throw new ChordError(
        'session_busy',
        'Nothing was sent: the session is being moved to another client.',
        {
          sessionKey: core.identity.key,
          description: 'Wait until the transfer is over, or use another session.',
        },
      );
    }
  }

  /** Waits for the verdict, and judges again if a process had to be started in between. */
  private async letIn(entry: Entry): Promise<Exclude<Verdict, { kind: 'wait' }>> {
    let verdict = await entry.verdict;
    while (!this.core.attached) {
      await this.core.host.ensureProcess();
      const again = entry.again();
      if (again.kind !== 'wait') verdict = again;
    }
    return verdict;
  }

  private async write(
    verdict: Extract<Verdict, { kind: 'go' }>,
    entry: Entry,
    limit: WaitLimit,
  ): Promise<CallResult> {
    const { core, request, slash } = this;
    this.joined = verdict.joins;
    const waits = request.waitFor !== 'nothing';
    this.wait = core.turns.wait({
      decisions: waits ? request.decisions : 'leave',
      jobs: request.waitFor === 'jobs',
      joins: verdict.joins,
      began: () => {
        entry.leave();
        if (!waits) this.wait?.leave();
      },
    });
    const output = slash ? new LocalOutput(core) : undefined;
    try {
      await this.put(limit);
      if (!waits) {
        this.letGo(entry, output);
        return finished(this.result(verdict.joins && core.turns.running ? 'queued' : 'sent', verdict));
      }
      return this.withFacts(await limit.race(this.settle(output)), verdict);
    } finally {
      if (waits) output?.dispose();
    }
  }

  /** Writes the line. Nothing is ever written twice: a write that failed is told, not tried again. */
  private async put(limit: WaitLimit): Promise<void> {
    const { core, slash } = this;
    if (slash?.name === '/resume') core.expectResume();
    this.note.written();
    core.inputs.add(this.id, this.content, this.receive);
    const issued = core.process.issue(
      { type: 'send', content: this.content, request_id: this.id },
      slash ? null : 'untracked',
    );
    this.commandError = issued.done.then(() => new Promise<never>(() => undefined));
    this.commandError.catch(() => undefined);
    try {
      await limit.race(issued.written);
      this.written = true;
    } catch (error) {
      if (ChordError.is(error) && error.code !== 'process_exited') {
        core.inputs.remove(this.id);
        this.note.withdrawn();
      }
      throw error;
    }
    const admits = core.state.capabilities.receipts === true;
    const closes = !(slash && needsTerminal(slash));
    if (!admits && closes) core.supersede();
    void this.receipt.then(({ status }) => {
      if (admits && closes && (status === 'started' || status === 'queued')) core.supersede();
    });
  }

  private commandError: Promise<never> = new Promise(() => undefined);

  /** Nobody waits, but the place in the queue is given free only when the message was taken up. */
  private letGo(entry: Entry, output: LocalOutput | undefined): void {
    const over = (): void => {
      output?.dispose();
      this.wait?.leave();
      entry.leave();
    };
    if (this.joined) over();
    else
      void Promise.race([
        this.settle(output),
        this.core.notTakenUp(() => this.wait?.turn !== undefined),
      ]).then(over, over);
  }

  /** How the message ended: as a turn, as a local command, or refused. */
  private async settle(output: LocalOutput | undefined): Promise<CallResult> {
    const wait = this.wait as TurnWait;
    const turn = wait.done.then((outcome) => callResult(this.core, outcome));
    const ends = [turn, this.receipted(output), this.commandError];
    const loops = this.slash !== null && startsLoop(this.slash);
    if (output && !loops && this.core.state.capabilities.receipts !== true) {
      ends.push(output.quiet(() => wait.turn !== undefined).then(() => this.handled(output)));
    }
    return await Promise.race(ends);
  }

  /** What a receipt decides by itself. */
  private async receipted(output: LocalOutput | undefined): Promise<CallResult> {
    const receipt = await this.receipt;
    if (receipt.status === 'rejected') {
      throw new ChordError(
        'rejected',
        `Chord refused the message: ${receipt.message || 'it gave no reason'}`,
        {
          sessionKey: this.core.identity.key,
          description: 'Nothing of it was worked on.',
        },
      );
    }
    const loops = this.slash !== null && startsLoop(this.slash);
    if (receipt.status === 'handled' && !loops) {
      // What the command printed stands before the answer to what is asked after it.
      await this.core.process.status();
      return this.handled(output);
    }
    return await new Promise<never>(() => undefined);
  }

  private handled(output: LocalOutput | undefined): CallResult {
    if (output?.error) {
      throw new ChordError(
        'command_failed',
        `Chord refused ${this.slash?.name ?? 'the command'}: ${output.error}`,
        {
          sessionKey: this.core.identity.key,
        },
      );
    }
    return finished(this.result('handled', { text: output?.text ?? '' }));
  }

  private result(
    outcome: ResultDocument['outcome'],
    facts: { text?: string; reason?: string; dismisses?: string[] } = {},
  ): ResultDocument {
    return resultDocument({
      outcome,
      session: this.core.describe(),
      ...(facts.text !== undefined && { text: facts.text }),
      ...(facts.reason !== undefined && { reason: facts.reason }),
      ...(facts.dismisses && { dismissed: facts.dismisses }),
    });
  }

  /** A joined turn says so; what was unknown before is told with the first result. */
  private withFacts(call: CallResult, verdict: Extract<Verdict, { kind: 'go' }>): CallResult {
    if (call.kind !== 'finished') return call;
    const { result } = call;
    const warnings = this.core.lostInputs
      .splice(0)
      .map((lost) => `Chord ended before, and it is unknown what became of ${lost}.`);
    return finished({
      ...result,
      ...(verdict.dismisses.length > 0 && { dismissed: verdict.dismisses }),
      ...(this.joined && result.turn && { shared: true }),
      turn: result.turn && { ...result.turn, warnings: [...warnings, ...result.turn.warnings] },
    });
  }

  private overError(kind: 'timeout' | 'interrupted'): ChordError {
    const finishedTurn = this.wait?.finished;
    return waitOverError(kind, {
      what: 'The message',
      written: this.written,
      sessionKey: this.core.identity.key,
      details: { session: this.core.describe(), ...(finishedTurn && { turn: finishedTurn }) },
    });
  }

  /** Only this message's own running turn may be cancelled, never one that it joined or waits behind. */
  private async cancelIfAsked(error: unknown): Promise<void> {
    if (!ChordError.is(error) || this.joined) return;
    const asked =
      (error.code === 'timeout' && this.request.cancelOnTimeout) ||
      (error.code === 'interrupted' && this.request.cancelOnStop);
    const { running } = this.core.turns;
    if (asked && running && this.wait?.turn === running) await this.core.cancel().catch(() => undefined);
  }
}

const finished = (result: ResultDocument): CallResult => ({ kind: 'finished', result });

/** Sends a message and waits as asked. */
export async function send(
  core: SessionCore,
  request: SendRequest,
  control: CallControl,
  note: Note,
): Promise<CallResult> {
  checkMessage(request);
  if (request.waitFor === 'jobs') checkWait(core, request);
  return await new Sending(core, request, note).run(control);
}
