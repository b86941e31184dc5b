import type { ITriggerFunctions } from 'n8n-workflow';
import { ChordError } from '../../../chord/errors';
import type { CapabilityDocument } from '../../../chord/session/contract';
import { Listening } from '../../../nodes/ChordTrigger/Listening';
import { neverSent } from '../../../nodes/ChordTrigger/neverSent';
import { readTriggerSettings } from '../../../nodes/ChordTrigger/settings';
import { connectionSettings } from '../../../nodes/shared/settings/connection';
import { ParameterReader } from '../../../nodes/shared/settings/ParameterReader';
import { FakeClock } from '../../support/FakeClock';
import { settle } from '../../support/settle';
import { until } from '../../support/until';
import { credential, sessionKey } from '../support/bench';
import { FakeRegistry } from '../support/FakeRegistry';
import { confirmRequest } from '../support/FakeSession';

let registry: FakeRegistry;
let clock: FakeClock;

beforeEach(() => {
  registry = new FakeRegistry();
  registry.install();
  clock = new FakeClock();
});

/** n8n's context for a trigger, as 1.123 has it with `saves: false`. */
const listening = (parameters: Record<string, unknown> = {}, saves = true) => {
  const reports: string[] = [];
  const log: string[] = [];
  const emitted: unknown[] = [];
  const note = (message: string) => void log.push(message);
  const context = {
    getMode: () => 'trigger',
    getNode: () => ({
      id: 'n',
      name: 'Chord Trigger',
      type: 't',
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    }),
    getWorkflow: () => ({ id: 'w', name: 'W' }),
    emit: (data: unknown) => void emitted.push(data),
    logger: { info: note, warn: note, error: note, debug: note },
    helpers: { prepareBinaryData: () => undefined },
    ...(saves && { saveFailedExecution: (error: Error) => void reports.push(error.message) }),
  } as unknown as ITriggerFunctions;
  const connection = connectionSettings(credential, 'c');
  const reader = new ParameterReader((name, fallback) => parameters[name] ?? fallback);
  const settings = readTriggerSettings(reader, connection);
  return { reports, log, emitted, trigger: new Listening(context, settings, connection, clock) };
};

const heldUntilThirdTry = () => {
  let tries = 0;
  registry.onOpen = () => {
    tries += 1;
    if (tries < 3) throw new ChordError('session_held', 'Another process has this session open.');
  };
};

it('tries again every minute, reports once, and then listens', async () => {
  heldUntilThirdTry();
  const { trigger, reports } = listening();
  await trigger.start();
  expect(clock.delays).toEqual([60_000]);
  await clock.advance(60_000);
  expect(registry.session(sessionKey).listeners).toHaveLength(0);
  await clock.advance(60_000);
  expect(registry.session(sessionKey).listeners).toHaveLength(1);
  expect(clock.pending).toBe(0);
  expect(reports).toEqual(['Another process has this session open.']);
});

it('listens although the start failed, and tries the start again', async () => {
  let starts = 0;
  registry.onOpen = ({ process }) => {
    if (process !== 'now') return;
    starts += 1;
    if (starts === 1) throw new ChordError('start_timeout', 'Too slow.');
  };
  const { trigger, emitted } = listening({ options: { startOnActivation: true } });
  await trigger.start();
  const session = registry.session(sessionKey);
  session.publish(session.ask(confirmRequest('r1')));
  await clock.advance(60_000);
  expect(emitted).toHaveLength(1);
  expect(starts).toBe(2);
  expect(session.listeners).toHaveLength(1);
  expect(registry.leases).toBe(1);
});

describe('after activation', () => {
  /** The lock is held at first; then the start meets `error` each time. */
  const heldThen = (error: ChordError) => {
    let tries = 0;
    registry.onOpen = () => {
      tries += 1;
      throw tries === 1 ? new ChordError('owned_elsewhere', 'Another n8n has it.') : error;
    };
    return () => tries;
  };

  it.each([
    ['a missing binary', new ChordError('binary_not_found', 'No chord.')],
    ['a broken configuration', new ChordError('invalid_configuration', 'Bad file.')],
    ['a Chord that was given up', new ChordError('start_timeout', 'Slow.', { details: { given_up: true } })],
  ])('%s is tried each ten minutes', async (_, error) => {
    const tries = heldThen(error);
    const { trigger, reports } = listening();
    await trigger.start();
    await clock.advance(60_000);
    expect(tries()).toBe(2);
    expect(clock.delays).toEqual([600_000]);
    await clock.advance(600_000);
    expect(tries()).toBe(3);
    expect(reports).toEqual(['Another n8n has it.']);
  });
});

describe('a start on activation that fails, and that the session publishes as well', () => {
  const summary = 'Chord could not be started.';

  const failing = (code: ConstructorParameters<typeof ChordError>[0]) => {
    registry.onOpen = ({ process }) => {
      if (process !== 'now') return;
      const session = registry.session(sessionKey);
      session.publish(session.event('process_exited', { summary }));
      throw new ChordError(code, 'It went wrong.');
    };
  };

  it('is reported once', async () => {
    failing('start_timeout');
    const { trigger, reports, emitted } = listening({ options: { startOnActivation: true } });
    await trigger.start();
    expect(reports).toEqual([summary]);
    expect(emitted).toEqual([]);
  });

  it('is an item where that event was chosen, and no report beside it', async () => {
    failing('start_timeout');
    const { trigger, reports, emitted } = listening({
      options: { startOnActivation: true, extraEvents: ['process_exited'] },
    });
    await trigger.start();
    await until(() => emitted.length === 1);
    expect(reports).toEqual([]);
  });

  it('rejects for what the user has to change, and nothing else is reported', async () => {
    failing('binary_not_found');
    const { trigger, reports, emitted } = listening({
      options: { startOnActivation: true, extraEvents: ['process_exited'] },
    });
    await expect(trigger.start()).rejects.toThrow('It went wrong.');
    await settle();
    expect(reports).toEqual([]);
    expect(emitted).toEqual([]);
  });
});

it('the person who activates looks on; the tries after that are its own', async () => {
  const attended: unknown[] = [];
  registry.onOpen = ({ process, ...request }) => {
    if (process !== 'now') return;
    attended.push(request.attended);
    throw new ChordError('start_timeout', 'Too slow.');
  };
  const { trigger } = listening({ options: { startOnActivation: true } });
  await trigger.start();
  await clock.advance(60_000);
  expect(attended).toEqual([expect.stringMatching(/./), undefined]);
});

it('stops trying when it is closed', async () => {
  heldUntilThirdTry();
  const { trigger } = listening();
  await trigger.start();
  await trigger.close();
  await clock.advance(600_000);
  expect(registry.opened).toHaveLength(1);
  expect(registry.leases).toBe(0);
});

it('closed while it opens, it leaves no lease and no listener', async () => {
  let go: () => void = () => undefined;
  registry.onOpen = () => new Promise<void>((resolve) => (go = resolve));
  const { trigger } = listening();
  const starting = trigger.start();
  await trigger.close();
  go();
  await starting;
  expect(registry.leases).toBe(0);
  expect(registry.session(sessionKey).listeners).toEqual([]);
});

it('on an n8n that cannot store a failed execution it is in the log', async () => {
  heldUntilThirdTry();
  const { trigger, log } = listening({}, false);
  await trigger.start();
  expect(log.join()).toContain('Another process has this session open.');
});

describe('B69: events that this Chord never sends', () => {
  const capabilities: CapabilityDocument = {
    versioned_status: true,
    roles: false,
    running_jobs: true,
    workdir: true,
    receipts: null,
    question_protocol: 'B',
    handoff_holds_idle: true,
    session_switched: true,
    confirm_resolved: null,
    images: false,
    mcp: null,
    input_queue: null,
    transfer: null,
  };

  it('are reported once, and all others still arrive', async () => {
    registry.session(sessionKey).status = { capabilities };
    const { trigger, log } = listening({
      preset: 'custom',
      events: ['tool_result', 'role_change', 'confirm_request'],
    });
    await trigger.start();
    const session = registry.session(sessionKey);
    session.publish(session.ask(confirmRequest('r1')));
    await clock.advance(120_000);
    expect(log.filter((line) => line.includes('never sends'))).toEqual([
      expect.stringContaining('"tool_result"'),
      expect.stringContaining('"role_change"'),
    ]);
    expect(session.listeners[0]?.options.filter.events).toContain('confirm_request');
  });

  it('unknown names never come; the others as the capabilities tell', () => {
    const events = [
      'tool_result',
      'confirm_request',
      'question_updated',
      'question_resolved',
      'input_result',
    ];
    expect(neverSent(events, capabilities)).toEqual({
      never: ['tool_result', 'question_updated'],
      unknown: ['input_result'],
    });
    expect(neverSent(events, null)).toEqual({
      never: ['tool_result'],
      unknown: ['question_updated', 'question_resolved', 'input_result'],
    });
  });

  it("are not reported of a preset's events, which nobody named", async () => {
    registry.session(sessionKey).status = { capabilities };
    const { trigger, log } = listening({ preset: 'essentials' });
    await trigger.start();
    expect(log).toEqual([]);
  });
});
