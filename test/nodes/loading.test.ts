import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Engine, packageFolder } from '../support/Engine';

let engine: Engine;
const describedNodes = () => engine.types.nodes;

beforeAll(async () => {
  engine = await Engine.load({}, {});
});

describe("n8n's loader", () => {
  it('B17: finds every node and the credential', () => {
    expect(engine.types.nodes.map(({ name }) => name).sort()).toEqual([
      'chordAnswer',
      'chordConfirm',
      'chordControl',
      'chordHandoff',
      'chordQuestion',
      'chordSend',
      'chordStatus',
      'chordTrigger',
    ]);
    expect(engine.types.credentials.map(({ name }) => name)).toEqual(['chordHeadlessApi']);
  });

  it('B21: makes tools of Send and Status only: an agent must not approve itself', () => {
    const tools = describedNodes().filter(({ usableAsTool }) => usableAsTool);
    expect(tools.map(({ name }) => name).sort()).toEqual(['chordSend', 'chordStatus']);
  });

  it('finds light and dark icons and the codex of every node', () => {
    for (const { name, iconUrl, codex } of describedNodes()) {
      expect({ name, iconUrl, codex }).toEqual({
        name,
        iconUrl: {
          light: expect.stringContaining('chord.svg'),
          dark: expect.stringContaining('chord.dark.svg'),
        },
        codex: expect.objectContaining({ categories: ['Development'] }),
      });
    }
  });

  it('every node tests the credential', () => {
    for (const { credentials } of describedNodes()) {
      expect(credentials).toEqual([
        { name: 'chordHeadlessApi', required: true, testedBy: 'chordConnectionTest' },
      ]);
    }
  });
});

/** Name, default and words of each parameter: what saved workflows depend on. */
const names = (nodeName: string) => {
  const node = describedNodes().find(({ name }) => name === nodeName)!;
  return Object.fromEntries(
    node.properties.map(({ name, default: value, options = [] }) => [
      name,
      options.length > 0
        ? options.map((option) => ('value' in option ? option.value : option.name)).sort()
        : value,
    ]),
  );
};

const session = {
  projectDirectory: '',
  sessionName: 'default',
  sessionOptions: ['sessionId', 'startMode', 'worktree'],
};
const waitOptions = [
  'approvalForm',
  'cancelOnStop',
  'cancelOnTimeout',
  'decisions',
  'timeoutSeconds',
  'waitMode',
];
const target = {
  sessionFrom: ['auto', 'key', 'named'],
  ...session,
  sessionKey: '',
  requestFrom: ['auto', 'id', 'open'],
  requestId: '',
};
const step = {
  stepResult: '={{ $json }}',
  whenNoDecision: ['deny', 'fail', 'leave'],
  requireResponder: false,
};
const chosen = { mode: 'list', value: '' };

describe('names that saved workflows depend on', () => {
  it('Chord Trigger', () => {
    const { events, ...others } = names('chordTrigger');
    expect(others).toEqual({
      preset: ['chat', 'custom', 'decisions', 'essentials', 'everything', 'results'],
      testWith: ['live', 'sample'],
      ...session,
      options: [
        'approvalForm',
        'emitOpenRequests',
        'extraEvents',
        'includeSuppressed',
        'mainAgentOnly',
        'startOnActivation',
        'toolNames',
      ],
    });
    expect(events).toContain('turn_finished');
  });

  it('Chord Send', () => {
    expect(names('chordSend')).toEqual({
      message: '',
      waitFor: ['jobs', 'nothing', 'turn'],
      ...session,
      options: [...waitOptions, 'allowCommands', 'loop', 'releaseHeld', 'whenBusy', 'whenRequestOpen'].sort(),
    });
  });

  it('Chord Answer', () => {
    expect(names('chordAnswer')).toEqual({
      ...step,
      ...target,
      waitFor: ['jobs', 'nothing', 'turn'],
      waitOptions,
    });
  });

  it('Chord Confirm', () => {
    expect(names('chordConfirm')).toEqual({
      decision: ['allow', 'deny', 'fromStep'],
      ...step,
      denyReason: '',
      ...target,
      waitFor: ['jobs', 'nothing', 'turn'],
      waitOptions,
      options: ['editSummary', 'editedArguments', 'rulePattern', 'ruleScope'],
    });
  });

  it('Chord Question', () => {
    expect(names('chordQuestion')).toEqual({
      answerMode: ['decline', 'fromStep', 'options', 'text'],
      ...step,
      answers: '',
      customText: '',
      ...target,
      waitFor: ['jobs', 'nothing', 'turn'],
      waitOptions,
    });
  });

  it('Chord Handoff', () => {
    expect(names('chordHandoff')).toEqual({
      decision: ['approve', 'cancel', 'deny', 'fromStep'],
      ...step,
      agent: chosen,
      pool: chosen,
      denyReason: '',
      ...target,
      waitFor: ['jobs', 'nothing', 'turn'],
      waitOptions,
    });
  });

  it('Chord Control', () => {
    expect(names('chordControl')).toEqual({
      operation: [
        'acknowledgeUnknown',
        'cancelTurn',
        'cancelWait',
        'compact',
        'getModelPool',
        'listRoles',
        'loopOff',
        'newSession',
        'restartProcess',
        'resumeSession',
        'runShell',
        'setModelPool',
        'setRole',
        'stopProcess',
      ],
      pool: chosen,
      agent: chosen,
      role: chosen,
      sessionId: chosen,
      executionId: chosen,
      shellCommand: '',
      ...session,
      options: ['force', 'whenRequestOpen'],
    });
  });

  it('Chord Status', () => {
    expect(names('chordStatus')).toEqual({
      scope: ['all', 'decisions', 'session'],
      ...session,
      options: ['diagnostics', 'includeModels', 'startIfNeeded'],
    });
  });

  it.each([
    ['chordSend', 'waitFor', 'turn'],
    ['chordConfirm', 'waitFor', 'nothing'],
    ['chordConfirm', 'decision', 'fromStep'],
    ['chordConfirm', 'sessionFrom', 'auto'],
    ['chordConfirm', 'requestFrom', 'auto'],
    ['chordQuestion', 'answerMode', 'fromStep'],
    ['chordHandoff', 'decision', 'fromStep'],
    ['chordControl', 'operation', 'getModelPool'],
    ['chordStatus', 'scope', 'session'],
    ['chordTrigger', 'preset', 'decisions'],
    ['chordTrigger', 'testWith', 'live'],
  ])('%s: %s is %s by default', (node, parameter, value) => {
    const { properties } = describedNodes().find(({ name }) => name === node)!;
    expect(properties.find(({ name }) => name === parameter)?.default).toBe(value);
  });

  it('the credential', () => {
    const [credential] = engine.types.credentials;
    const defaults = credential!.properties.filter(({ type }) => type !== 'notice');
    expect(Object.fromEntries(defaults.map(({ name, default: value }) => [name, value]))).toEqual({
      command: 'chord',
      commandArguments: '',
      runsElsewhere: false,
      commandQuotes: false,
      projectDirectory: '',
      allowedDirectories: '',
      environment: {},
      allowLocalShell: false,
      startTimeoutSeconds: 60,
      idleTimeoutMinutes: 30,
      n8nAddress: '',
      auditArguments: false,
      restartOnCrash: true,
    });
  });
});

it('the two outputs of Send and of the responders have names', () => {
  const named = describedNodes().filter(({ outputNames }) => outputNames);
  expect(named.map(({ name, outputNames }) => [name, outputNames])).toEqual(
    expect.arrayContaining([
      ['chordSend', ['Finished', 'Needs Decision']],
      ['chordConfirm', ['Finished', 'Needs Decision']],
      ['chordQuestion', ['Finished', 'Needs Decision']],
      ['chordHandoff', ['Finished', 'Needs Decision']],
    ]),
  );
});

it('the codex files name the nodes as n8n does', () => {
  for (const node of [
    'ChordTrigger',
    'ChordSend',
    'ChordConfirm',
    'ChordQuestion',
    'ChordHandoff',
    'ChordStatus',
    'ChordControl',
  ]) {
    const file = path.join(packageFolder, 'dist/nodes', node, `${node}.node.json`);
    const { node: name } = JSON.parse(readFileSync(file, 'utf8')) as { node: string };
    expect(name).toBe(`n8n-nodes-chord.${node.charAt(0).toLowerCase()}${node.slice(1)}`);
  }
});
