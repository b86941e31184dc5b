import type { CallControl } from '../../core/CallControl';
import { randomUUID } from 'node:crypto';
import { ChordError } from '../../../errors';
import { checkCapabilities, contentOf } from './checkMessage';
import type { CallResult, ResultDocument, SendRequest } from '../../contract';
import type { CallNote } from '../call/CallNote';
import { newSession } from '../commands/changeSession';
import { unknownOutcome, type Receipt } from '../../input/UnconfirmedInputs';
import { LocalOutput } from '../commands/LocalOutput';
import { beingAnswered } from '../../state/requestTransitions';
import { resultDocument } from '../../turns/resultDocument';
import type { Entry, LetIn, Rules } from '../../input/SendQueue';
import type { SessionCore } from '../../core/SessionCore';
import { explainExit, finished, rejectedError, withFacts } from './sendOutcome';
import { needsTerminal, slashCommand, startsLoop, type Slash } from './slash';
import type { TurnWaiter } from '../../turns/TurnWaiter';
import { cancelIfAsked } from '../call/cancelIfAsked';
import { never } from '../call/never';
import { untilIgnored } from '../call/untilIgnored';
import { callResult, waitOverError } from '../call/wait';
import type { CallLimit, LimitKind } from '../../core/CallLimit';

/** What makes a message the first one of a Chord session. */
export interface FirstMessage {
  /**
   * Whether a new session has to be begun for it. Asked when its place in the queue has come, so that nobody else's message
   * can make a new one the old one.
   */
  needsSession(): boolean;
  /** Its line is about to be written. */
  written(): void;
}

/** One message on its way, from the queue to its end. */
export class Sending {
  private written = false;

  /** The call has ended, however. */
  private over = false;

  private receipt: Receipt | undefined;

  private readonly receipted: Promise<Receipt>;

  private receive: (receipt: Receipt) => void = () => undefined;

  private readonly id = randomUUID();

  private readonly content: string;

  private readonly slash: Slash | null;

  private readonly loops: boolean;

  /** Requests whose answer was written before this message. */
  private answered: ReadonlySet<string> = new Set();

  private wait: TurnWaiter | undefined;

  private output: LocalOutput | undefined;

  /** The turn is another message's too. */
  private joined = false;

  /** Rejects when Chord answers the message with an error. */
  private refused: Promise<never> = never();

  constructor(
    private readonly core: SessionCore,
    private readonly request: SendRequest,
    private readonly note: CallNote,
    /** It shall be the first one of a new session. */
    private readonly first?: FirstMessage,
  ) {
    this.content = contentOf(request);
    this.slash = slashCommand(this.content);
    this.loops = this.slash !== null && startsLoop(this.slash);
    this.receipted = new Promise((resolve) => {
      this.receive = resolve;
    });
  }

  /** Waits for its place, writes the message, and waits as asked. */
  run({ signal }: CallControl): Promise<CallResult> {
    const { timeoutMs } = this.request;
    const error = (kind: LimitKind) => this.overError(kind);
    return this.core.limited({ timeoutMs, signal, error }, (limit) => this.under(limit));
  }

  private async under(limit: CallLimit): Promise<CallResult> {
    const { core, request } = this;
    let entry: Entry | undefined;
    try {
      await limit.race(this.prepare());
      entry = core.queue.enter(this.rules());
      const verdict = await limit.race(this.letIn(entry));
      if (verdict.kind === 'skip') return finished(this.result('skipped', { reason: verdict.reason }));
      if (!this.first?.needsSession()) return await this.write(verdict, entry, limit);
      await limit.race(newSession(core));
      // No turn of the new session runs that it could join.
      return await this.write({ ...verdict, joins: false }, entry, limit);
    } catch (error) {
      // A turn that it joined is somebody else's too.
      if (!this.joined) await cancelIfAsked(core, request, error, this.wait);
      throw this.written ? explainExit(core, error) : error;
    } finally {
      this.over = true;
      if (request.waitFor !== 'nothing' || !this.written) this.leave(entry);
    }
  }

  /** The first message of a new session comes in one with what begins that session, and joins no other work. */
  private rules(): Rules {
    const { request } = this;
    if (!this.first) return request;
    const whenBusy = request.whenBusy === 'join' ? 'wait' : request.whenBusy;
    return { ...request, whenBusy, alone: true };
  }

  /** A process that has shown what it can do and what is open. */
  private async prepare(): Promise<void> {
    const { core, request, slash } = this;
    // The lease has seen to it; the process may have ended since.
    if (!core.isRunning()) await core.host.ensureProcess();
    await core.untilKnown;
    core.checkRunning();
    checkCapabilities(core, request, slash);
  }

  /**
   * Waits for the verdict. What takes time before the write (a start, a question to n8n, a note on the disk) has the
   * message judged anew with what shows then.
   */
  private async letIn(entry: Entry): Promise<LetIn> {
    const { core, note } = this;
    let verdict = await entry.verdict;
    let ready = false;
    while (verdict.kind === 'go' && !ready) {
      if (!core.isRunning()) await this.prepare();
      await note.ready();
      // Nobody waits for this any longer, and the place in the queue was given free.
      if (this.over) return await never();
      const again = entry.again();
      ready = core.isRunning() && !entry.waits;
      if (!ready) note.withdrawn();
      verdict = await again;
    }
    return verdict;
  }

  private async write(
    verdict: Extract<LetIn, { kind: 'go' }>,
    entry: Entry,
    limit: CallLimit,
  ): Promise<CallResult> {
    const { core, request } = this;
    const waits = request.waitFor !== 'nothing';
    this.joined = verdict.joins || core.turns.isParked;
    const joinsWork = verdict.joins && core.turns.running !== undefined;
    this.wait = core.turns.wait({
      decisions: waits ? request.decisions : 'leave',
      jobs: request.waitFor === 'jobs',
      joins: this.joined,
      needs: core.state.capabilities.receipts === true ? 'receipt' : 'work',
      began: () => {
        entry.leave();
        if (!waits) this.leave(entry);
      },
      onForeignTurn: (settle) => this.onForeignTurn(settle),
    });
    if (this.slash) this.output = new LocalOutput(core, this.loops);
    await this.writeLine(limit);
    if (waits) return this.withFacts(await limit.race(this.settle()), verdict.dismisses);
    this.releaseWhenStarted(entry);
    return this.withFacts(finished(this.result(joinsWork ? 'queued' : 'sent')), verdict.dismisses);
  }

  /** Writes the line. Nothing is ever written twice: a write that failed is reported, not tried again. */
  private async writeLine(limit: CallLimit): Promise<void> {
    const { core, slash } = this;
    core.active.expectResume(slash?.name === '/resume' ? slash.argument : '');
    const { connection } = core;
    this.answered = beingAnswered(core.state);
    core.inputs.add(this.id, this.content, (receipt) => this.onReceipt(receipt));
    this.note.written();
    this.first?.written();
    // Once the pipe has it, nothing takes it back.
    this.written = true;
    const issued = connection.issue(
      { type: 'send', content: this.content, request_id: this.id },
      slash ? null : 'untracked',
    );
    this.refused = issued.done.then(() => never());
    this.refused.catch(() => undefined);
    const written = issued.written.catch((error: unknown) => {
      this.written = false;
      core.inputs.remove(this.id);
      this.note.withdrawn();
      throw error;
    });
    written.catch(() => undefined);
    // Where there are receipts, only an admitted message closes what is open.
    if (core.state.capabilities.receipts !== true)
      void written.then(
        () => this.supersede(),
        () => undefined,
      );
    await limit.race(written);
  }

  private onReceipt(receipt: Receipt): void {
    const admitted = receipt.status === 'rejected' ? receipt.turn_id !== null : receipt.status !== 'unknown';
    // In the same moment: an `idle` may stand in the next line.
    if (receipt.status !== 'rejected' && receipt.status !== 'unknown') this.wait?.confirm();
    if (admitted) this.supersede();
    this.receipt = receipt;
    this.receive(receipt);
  }

  private supersede(): void {
    if (!this.slash || !needsTerminal(this.slash)) this.core.requests.supersede(this.answered);
  }

  /** A turn ended too early to be this message's. Without receipts only time tells that none will come. */
  private onForeignTurn(settle: () => void): void {
    if (this.core.state.capabilities.receipts === true) return;
    void untilIgnored(this.core, () => this.wait?.turn !== undefined).then(settle, () => undefined);
  }

  /** Nobody waits, but the place in the queue is given free only when the message was taken up. */
  private releaseWhenStarted(entry: Entry): void {
    const over = (): void => this.leave(entry);
    if (this.joined) over();
    else {
      void Promise.race([this.settle(), untilIgnored(this.core, () => this.wait?.turn !== undefined)]).then(
        over,
        over,
      );
    }
  }

  private leave(entry: Entry | undefined): void {
    this.output?.dispose();
    this.wait?.leave();
    entry?.leave();
  }

  /** How the message ended: as a turn, as a local command, or refused. */
  private async settle(): Promise<CallResult> {
    const { wait, output } = this;
    const turn = wait?.done.then((outcome) => {
      // Work that followed the write ended without a receipt: this Chord gives none.
      if (outcome.kind === 'ended' && !this.receipt) {
        this.core.noteNoReceipts();
        // Waiting for one would hold all that came of this message.
        this.core.inputs.remove(this.id);
      }
      return callResult(this.core, outcome, this.request);
    });
    const ends = [turn ?? never(), this.byReceipt(), this.refused];
    if (output && this.core.state.capabilities.receipts !== true) {
      ends.push(output.untilOver(() => wait?.turn !== undefined).then(() => this.handled()));
    }
    return await Promise.race(ends);
  }

  /** What a receipt decides by itself. */
  private async byReceipt(): Promise<CallResult> {
    const { core, wait } = this;
    const receipt = await this.receipted;
    if (receipt.status === 'rejected') {
      throw rejectedError(core, receipt);
    }
    if (receipt.status === 'unknown') throw unknownOutcome(core, 'the message', receipt);
    if (receipt.status !== 'handled') return await never();
    // What the command printed stands before the answer to what is asked after it.
    if (this.loops) await this.output?.untilOver(() => wait?.turn !== undefined);
    else await core.connection.status();
    return this.handled();
  }

  private handled(): CallResult {
    this.core.inputs.remove(this.id);
    if (this.output?.error) {
      throw new ChordError(
        'command_failed',
        `Chord refused ${this.slash?.name ?? 'the command'}: ${this.output.error}`,
        { sessionKey: this.core.identity.key },
      );
    }
    return finished(this.result('handled', { text: this.output?.text ?? '' }));
  }

  private result(
    outcome: ResultDocument['outcome'],
    facts: { text?: string; reason?: string } = {},
  ): ResultDocument {
    return resultDocument({ outcome, session: this.core.describe(), ...facts });
  }

  private withFacts(call: CallResult, dismissed: readonly string[]): CallResult {
    return withFacts(call, { dismissed, shared: this.joined, warnings: this.core.inputs.consumeWarnings() });
  }

  private overError(kind: LimitKind): ChordError {
    const turn = this.wait?.finished;
    return waitOverError(kind, {
      what: 'The message',
      written: this.written,
      sessionKey: this.core.identity.key,
      details: { session: this.core.describe(), ...(turn && { turn }) },
    });
  }
}
