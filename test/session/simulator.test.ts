import { ChordProcess } from '../../chord/process/ChordProcess';
import { systemClock } from '../../chord/clock';
import { Session } from '../../chord/session';
import type {
  CallResult,
  ChordEvent,
  ConfirmDecision,
  HandoffDecision,
  QuestionAnswer,
  SendRequest,
} from '../../chord/session/contract';
import type { ProfileName } from '../../simulator/wire/profile';
import { settingsFor } from '../registry/support/settings';
import { LAB, sandbox, SIMULATOR, type Sandbox } from '../simulator/support/lab';
import { until } from '../support/until';
import { finished, handedOut } from './support/Harness';
import { failure } from './support/promises';
import { noCalls } from './support/noCalls';

const waiting = {
  waitFor: 'turn',
  timeoutMs: 30_000,
  cancelOnTimeout: false,
  cancelOnStop: false,
  decisions: 'auto',
  callId: '',
} as const;

/** A session over the simulator's real process. */
class Run {
  readonly events: ChordEvent[] = [];

  readonly session: Session;

  private process: ChordProcess | undefined;

  private constructor(
    private readonly box: Sandbox,
    private readonly environment: Record<string, string>,
  ) {
    this.session = new Session(
      {
        key: 'k',
        name: 'default',
        projectDirectory: box.work,
        allowLocalShell: true,
        sessionsDirectory: `${box.state}/sessions`,
      },
      {
        calls: noCalls,
        waits: () => [],
        ensureProcess: () => (this.session.attached ? Promise.resolve() : this.start()),
        sessionChanged: () => undefined,
        keepImage: () => '',
        sessionsBefore: () => [],
        handedOff: () => undefined,
        sessionSince: () => Promise.resolve(undefined),
        touched: () => undefined,
        onDecisionAttempt: () => undefined,
        exited: () => undefined,
      },
      systemClock,
    );
  }

  static async start(profile: ProfileName, scenario: string): Promise<Run> {
    const run = new Run(sandbox(), {
      CHORD_SIMULATOR_PROFILE: profile,
      CHORD_SIMULATOR_SCENARIO: `${LAB}/scenarios/${scenario}.json`,
    });
    runs.push(run);
    const filter = { events: 'all' as const, mainAgentOnly: false, includeSuppressed: false, toolNames: [] };
    await run.session.listen({ id: 'all', filter, emitOpenRequests: true, production: false }, (event) =>
      run.events.push(event),
    );
    await run.start();
    return run;
  }

  private async start(): Promise<void> {
    const variables = { ...this.box.env, ...this.environment };
    const environment = Object.entries(variables).map(([name, value]) => ({ name, value }));
    const settings = settingsFor(this.box.work, { command: SIMULATOR, environment });
    this.process = new ChordProcess({ settings, directory: this.box.work });
    await this.session.attach(this.process);
  }

  async end(): Promise<void> {
    await this.process?.stop();
    this.box.remove();
  }

  send(message: string, more: Partial<SendRequest> = {}): Promise<CallResult> {
    return this.session.send({
      ...waiting,
      message,
      whenBusy: 'wait',
      whenRequestOpen: 'fail',
      allowCommands: false,
      loop: false,
      heldRequests: [],
      ...more,
    });
  }

  confirm(requestId: string, more: Partial<ConfirmDecision> = {}) {
    const decision = {
      action: 'allow',
      denyReason: '',
      editedArguments: '',
      editSummary: '',
      rule: null,
    } as const;
    return this.session.confirm({ ...waiting, requestId, fromItem: true, ...decision, ...more });
  }

  answer(requestId: string, more: Partial<QuestionAnswer>) {
    const answer = { action: 'answer' as const, answers: [] as string[], text: '' };
    return this.session.answer({ ...waiting, requestId, fromItem: true, ...answer, ...more });
  }

  handoff(requestId: string, more: Partial<HandoffDecision> = {}) {
    const decision = { action: 'approve', agent: '', pool: '', denyReason: '' } as const;
    return this.session.handoff({ ...waiting, requestId, fromItem: true, ...decision, ...more });
  }

  published(name: string): ChordEvent[] {
    return this.events.filter(({ event }) => event === name);
  }
}

const runs: Run[] = [];

afterEach(async () => {
  for (const run of runs.splice(0)) await run.end();
});

jest.setTimeout(60_000);

const profiles: ProfileName[] = ['d1', 'd1-roles', 'd2', 'd2-receipts', 'd3'];

describe.each(profiles)('on %s', (profile) => {
  test('a plain turn, with what it cost', async () => {
    const run = await Run.start(profile, 'plain');
    expect(finished(await run.send('Say hello to the lab.'))).toMatchObject({
      outcome: 'completed',
      text: 'Hello from the mock lab.',
      usage: { input_tokens: expect.any(Number) as number },
    });
    await until(() => run.published('turn_finished').length === 1);
  });

  test.each(['allow', 'deny'] as const)('a confirm: %s', async (action) => {
    const run = await Run.start(profile, `confirm-${action}`);
    const [id] = handedOut(await run.send('Record a checkpoint commit.'));
    const denyReason = action === 'deny' ? 'not on a Friday' : '';
    const { decision, after } = await run.confirm(id!, { action, denyReason });
    // That Chord tells the end of a confirm is only known once it has: the first one may be proved by the status.
    const proofs = profile === 'd3' ? ['event', 'taken'] : ['taken'];
    expect(decision.action).toBe(action);
    expect(proofs).toContain(decision.verified_by);
    expect(finished(after).outcome).toBe('completed');
    expect((await failure(run.confirm(id!))).code).toBe('already_answered');
    expect(run.published('request_closed')).toEqual([]);
  });

  test('two questions, one after the other', async () => {
    const run = await Run.start(profile, 'question-multi');
    const [first] = handedOut(await run.send('Prepare the tray.'));
    const one = await run.answer(first!, { answers: ['Milk', 'Honey'] });
    const [second] = handedOut(one.after);
    const two = await run.answer(second!, { text: 'Ada' });
    expect(finished(two.after)).toMatchObject({ outcome: 'completed', text: 'Milk and honey for Ada.' });
  });

  test('a handoff that is accepted', async () => {
    const run = await Run.start(profile, 'handoff-accept');
    const [first] = handedOut(await run.send('Plan the oolong support.'));
    const one = await run.handoff(first!, { agent: 'planner' });
    const [second] = handedOut(one.after);
    const two = await run.handoff(second!);
    expect(finished(two.after).outcome).toBe('completed');
    await until(() => run.published('turn_finished').length === 1);
  });

  test('B66: a message that dismisses a request', async () => {
    const run = await Run.start(profile, 'send-during-confirm');
    const [id] = handedOut(await run.send('Record a checkpoint commit.'));
    const second = await run.send('Leave it, tell me the time instead.', { whenRequestOpen: 'dismiss' });
    expect(finished(second)).toMatchObject({ text: 'It is tea time.', dismissed: [id] });
    expect(run.published('request_closed')).toMatchObject([{ reason: 'superseded' }]);
  });

  test('a retried error is a warning', async () => {
    const run = await Run.start(profile, 'provider-429');
    expect(finished(await run.send('Boil some water.'))).toMatchObject({
      outcome: 'completed',
      text: 'Your cup, now.',
    });
  });

  test('a local command', async () => {
    const run = await Run.start(profile, 'slash');
    const result = finished(await run.send('/models', { allowCommands: true }));
    expect(result.outcome).toBe('handled');
    expect(result.text).toContain('alpha');
  });
});

test('a loop on D1: a denied report is not accepted', async () => {
  const run = await Run.start('d1', 'loop-done');
  const [first] = handedOut(await run.send('Tidy the notes file', { loop: true }));
  const one = await run.confirm(first!, { action: 'deny', denyReason: 'check the spelling too' });
  const [second] = handedOut(one.after);
  const { turn } = finished((await run.confirm(second!)).after);
  expect(turn?.reports.map(({ accepted }) => accepted)).toEqual([false, true]);
});
