import { Session, type RequestKind, type DecisionAttempt } from '../../../chord/session';
import type { ProfileName } from '../../../simulator/wire/profile';
import { FakeClock } from '../../support/FakeClock';
import { SimulatedChord, type Ground } from '../../support/simulated/SimulatedChord';
import { asks, threeRequests } from '../../support/simulated/threeRequests';
import { noCalls } from '../../session/support/noCalls';
import { actionsOf, callSession, notWaiting, outcomeOf, type Answer } from './answers';

/** One thing that happens; `at` picks one of the requests that were seen so far. */
export type Step =
  | { do: 'ask'; kind: RequestKind }
  | { do: 'answer'; at: number; grants: boolean }
  | { do: 'answer wrongly'; at: number; kind: RequestKind }
  | { do: 'message'; dismiss: boolean }
  | { do: 'cancel' }
  | { do: 'status' }
  | { do: 'time'; seconds: number }
  | { do: 'restart' }
  | { do: 'hold' | 'let one' | 'release'; pipe: 'stdin' | 'stdout' }
  | { do: 'break' | 'mend' };

/** A step, and whether everything comes to rest before the next one. */
export type TimedStep = Step & { rests: boolean };

/** Seconds after which Chord gives a confirmation or a question up; less than a reply may take. */
export const giveUpSeconds = 8;

const openings = ['confirm_request', 'question_request', 'handoff_request'];

/** One session over one played Chord, and everything that several nodes did with it. */
export class Interleaving {
  readonly chord: SimulatedChord;

  readonly answers: Answer[] = [];

  readonly audit: DecisionAttempt[] = [];

  private readonly clock = new FakeClock();

  private readonly session: Session;

  private readonly seen: { id: string; kind: RequestKind }[] = [];

  private readonly stop = new AbortController();

  constructor(profile: ProfileName, ground: Ground) {
    this.chord = new SimulatedChord(profile, this.clock, ground, {
      scenario: threeRequests,
      confirmTimeout: giveUpSeconds,
      questionTimeout: giveUpSeconds,
    });
    const nothing = () => undefined;
    this.session = new Session(
      {
        key: 'k',
        name: 'default',
        projectDirectory: ground.project,
        allowLocalShell: false,
        sessionsDirectory: '',
      },
      {
        calls: noCalls,
        waits: () => [],
        ensureProcess: () => Promise.resolve(),
        sessionChanged: nothing,
        keepImage: () => '',
        sessionsBefore: () => [],
        handedOff: nothing,
        sessionSince: () => Promise.resolve(undefined),
        touched: nothing,
        onDecisionAttempt: (decision) => void this.audit.push(decision),
        exited: nothing,
      },
      this.clock,
    );
  }

  /** Does all steps, then lets everything come to its end: every answer that was given must have one. */
  async play(steps: readonly TimedStep[]): Promise<void> {
    await this.listen();
    await this.attach();
    for (const step of steps) {
      await this.act(step);
      if (step.rests) await this.chord.rest();
    }
    const { process } = this.chord;
    process.broken = false;
    process.stdin.release();
    process.stdout.release();
    await this.chord.rest();
    for (let round = 0; round < 3; round += 1) await this.pass(10);
    this.stop.abort();
    await this.chord.rest();
    process.killNow();
  }

  private async listen(): Promise<void> {
    await this.session.listen(
      {
        id: 'all',
        filter: { events: openings, mainAgentOnly: false, includeSuppressed: false, toolNames: [] },
        emitOpenRequests: true,
        production: false,
      },
      ({ request }) => {
        if (request && !this.seen.some(({ id }) => id === request.id)) this.seen.push(request);
      },
    );
  }

  private async attach(): Promise<void> {
    const { sessionId } = this.session;
    try {
      await this.session.attach(this.chord.newProcess(sessionId));
    } catch {
      // A session without messages cannot be resumed.
      await this.session.attach(this.chord.newProcess());
    }
    await this.chord.rest();
  }

  private async pass(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1000);
    await this.chord.rest();
  }

  private async act(step: Step): Promise<void> {
    const { chord, session } = this;
    switch (step.do) {
      case 'ask':
        this.send(asks[step.kind], false);
        return;
      case 'answer':
      case 'answer wrongly':
        this.answer(step);
        return;
      case 'message':
        this.send('Hello.', step.dismiss);
        return;
      case 'cancel':
        void session.cancel().catch(() => undefined);
        return;
      case 'status':
        void session.status({ diagnostics: false, includeModels: false });
        return;
      case 'time':
        return this.pass(step.seconds);
      case 'restart':
        chord.process.crash();
        return this.attach();
      case 'hold':
        chord.process[step.pipe].hold();
        return;
      case 'let one':
        chord.process[step.pipe].letOne();
        return;
      case 'release':
        chord.process[step.pipe].release();
        return;
      case 'break':
      case 'mend':
        chord.process.broken = step.do === 'break';
    }
  }

  private send(message: string, dismiss: boolean): void {
    this.session
      .send(
        {
          ...notWaiting,
          message,
          whenBusy: 'join',
          whenRequestOpen: dismiss ? 'dismiss' : 'fail',
          allowCommands: false,
          loop: false,
          heldRequests: [],
        },
        { signal: this.stop.signal },
      )
      .catch(() => undefined);
  }

  private answer(step: Extract<Step, { at: number }>): void {
    const request = this.seen[step.at % Math.max(1, this.seen.length)];
    const kind = step.do === 'answer' ? (request?.kind ?? 'confirm') : step.kind;
    const answer: Answer = {
      tag: `call-${this.answers.length}`,
      requestId: request?.id ?? 'never-seen',
      kind,
      action: actionsOf[kind][step.do === 'answer' && !step.grants ? 1 : 0],
      outcome: undefined,
    };
    this.answers.push(answer);
    void outcomeOf(callSession(this.session, answer)).then((outcome) => {
      answer.outcome = outcome;
    });
  }
}
