import type { IDataObject } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import { sampleEvent } from '../../../nodes/ChordTrigger/samples/sampleEvent';
import { eventItem } from '../../../nodes/shared/items/eventItem';
import { until } from '../../support/until';
import { asks, shutDownRegistry } from '../support/ChordProject';
import { chordNode, connect, itemsNode, stubNode, type ChordNodeType } from '../support/flow';
import { codeOf, profiles, type Scene, useScene } from '../support/Scene';

jest.setTimeout(60_000);

type Kind = 'confirm' | 'question' | 'handoff';

const asked = (task: Kind, calls: Step['reply']): Step => ({
  id: task,
  times: 'any',
  when: { last_user: task, last_role: 'user' },
  reply: calls,
});

const steps: Step[] = [
  ...['Execute the plan at', 'Handoff rejected:'].map(
    (text): Step => ({
      id: text,
      times: 'any',
      when: { last_user: text, last_role: 'user' },
      reply: { text: 'So be it.' },
    }),
  ),
  { id: 'after', times: 'any', when: { last_role: 'tool' }, reply: { text: 'So be it.' } },
  asked('confirm', asks('echo one')),
  asked('question', {
    tool_calls: [
      {
        name: 'question',
        args: {
          questions: [
            {
              header: 'Colour',
              question: 'Which?',
              options: ['Red', 'Blue'].map((label) => ({ label, description: label })),
            },
          ],
        },
      },
    ],
  }),
  asked('handoff', { tool_calls: [{ name: 'handoff', args: { plan_path: 'plan.md' } }] }),
];

/** Each kind with the node that is made for it, an answer to it, and what Chord gets when nobody answered. */
const kinds: { kind: Kind; node: ChordNodeType; answer: IDataObject; action: string; refused: object }[] = [
  {
    kind: 'confirm',
    node: 'chordConfirm',
    answer: { Decision: 'Allow' },
    action: 'allow',
    refused: { action: 'deny', deny_reason: 'Nobody answered in time.' },
  },
  {
    kind: 'question',
    node: 'chordQuestion',
    answer: { Answer: 'Blue' },
    action: 'answer',
    refused: { answers: [], reason: 'declined', cancelled: true },
  },
  {
    kind: 'handoff',
    node: 'chordHandoff',
    answer: { Decision: 'Approve' },
    action: 'approve',
    refused: { action: 'deny', deny_reason: 'Nobody answered in time.' },
  },
];

const refusals: Record<Kind, string> = { confirm: 'deny', question: 'decline', handoff: 'deny' };

/** Chord Answer and the node that is made for each kind. */
const rows = kinds.flatMap((row) => [
  { ...row, title: `chordAnswer, ${row.kind}`, node: 'chordAnswer' as ChordNodeType },
  { ...row, title: row.node },
]);

afterAll(shutDownRegistry);

/** The one answer that Chord was given to a request. */
const recordedAnswer = async (
  { project }: Scene,
  kind: Kind,
  id: string,
): Promise<Record<string, unknown>> => {
  const answers = () => project.commands(kind).filter(({ request_id: requestId }) => requestId === id);
  await until(() => answers().length > 0, { what: `Chord has read an answer to ${id}` });
  expect(answers()).toHaveLength(1);
  return answers()[0]!;
};

describe.each(profiles)('Chord Answer on %s', (profile) => {
  const scene = useScene(profile, steps);

  /** The request's item, a step that replaces it by the answer, and the node. */
  const flow = async (item: IDataObject, step: IDataObject, parameters: IDataObject = {}) =>
    await scene.engine.execute(
      {
        nodes: [
          itemsNode('Start', [item]),
          stubNode('Ask', 'test.askPerson', { items: JSON.stringify([step]) }),
          chordNode('Answer', 'chordAnswer', parameters as never),
        ],
        connections: connect('Start > Ask', 'Ask > Answer'),
      },
      'Start',
      { executionId: `answer ${scene.sessionName}` },
    );

  test.each(kinds)('gives the answer to a $kind', async ({ kind, answer, action }) => {
    const item = await scene.ask(kind);
    const { items, error } = await flow(item, { data: answer }, { waitFor: 'turn' });
    expect(error).toBeUndefined();
    expect(items('Answer')[0]?.json).toMatchObject({
      outcome: 'completed',
      decision: { request_id: item.request.id, kind, action, responder: null },
    });
    await recordedAnswer(scene, kind, item.request.id);
  });

  test.each(kinds)('takes the only open request, of whatever kind: a $kind', async ({ kind, answer }) => {
    const item = await scene.ask(kind);
    const { error } = await scene.run('chordAnswer', [{ data: answer }], {
      sessionFrom: 'named',
      sessionName: scene.sessionName,
      requestFrom: 'open',
    });
    expect(error).toBeUndefined();
    await recordedAnswer(scene, kind, item.request.id);
  });

  test.each(kinds)('finds out the kind of an id that was typed: a $kind', async ({ kind, answer }) => {
    const item = await scene.ask(kind);
    const target = { sessionFrom: 'named', sessionName: scene.sessionName, requestFrom: 'id' };
    const { error } = await scene.run('chordAnswer', [{ data: answer }], {
      ...target,
      requestId: item.request.id,
    });
    expect(error).toBeUndefined();
    await recordedAnswer(scene, kind, item.request.id);
    const unknown = await scene.run('chordAnswer', [{ data: answer }], { ...target, requestId: 'nobody' });
    expect(codeOf(unknown)).toBe('unknown_request');
  });
});

describe('all four responders', () => {
  const scene = useScene('d2', steps);

  const stillOpen = async (): Promise<unknown[]> => {
    const { items } = await scene.run('chordStatus', [{ any: 1 }], { sessionName: scene.sessionName });
    return items('Node')[0]?.json.open_requests as unknown[];
  };

  describe.each(rows)('$title', ({ kind, node, answer, action, refused }) => {
    test('deny: when nobody answered, the agent learns so', async () => {
      const item = await scene.ask(kind);
      const { items, error } = await scene.run(node, [item], { whenNoDecision: 'deny' });
      expect(error).toBeUndefined();
      expect(items('Node')[0]?.json).toMatchObject({
        outcome: 'sent',
        decision: { action: refusals[kind], responder: null, responded_at: null },
      });
      expect(await recordedAnswer(scene, kind, item.request.id)).toMatchObject(refused);
    });

    test('deny: a request that is closed already is passed over', async () => {
      const item = await scene.ask(kind);
      await scene.run(node, [{ ...item, data: answer }]);
      const { items, error } = await scene.run(node, [item], { whenNoDecision: 'deny' });
      expect(error).toBeUndefined();
      expect(items('Node')[0]?.json).toMatchObject({
        event: `${kind}_request`,
        outcome: 'skipped',
        reason: expect.stringMatching(/^Nobody answered in time\. The request .* already/) as string,
      });
    });

    test('leave: the item is given out as it came, and the request stays open', async () => {
      const item = await scene.ask(kind);
      const { items, error } = await scene.run(node, [item], { whenNoDecision: 'leave' });
      expect(error).toBeUndefined();
      expect(items('Node').map(({ json }) => json)).toEqual([
        { ...item, outcome: 'skipped', reason: 'Nobody answered in time.' },
      ]);
      expect(await stillOpen()).toHaveLength(1);
    });

    test.each(['fail', 'deny', 'leave'])('%s: an answer that cannot be read is an error', async (mode) => {
      const item = await scene.ask(kind);
      const steps_ = [{ data: { Entscheidung: 'Allow' } }, { data: { Decision: '', Answer: '' } }];
      for (const step of steps_) {
        const execution = await scene.run(node, [{ ...item, ...step }], { whenNoDecision: mode });
        expect(codeOf(execution)).toBe('no_decision');
      }
      expect(await stillOpen()).toHaveLength(1);
    });

    test('fail: without an answer nothing is sent', async () => {
      const item = await scene.ask(kind);
      expect(codeOf(await scene.run(node, [item]))).toBe('no_decision');
      // The request's own words are no answer, whatever an expression takes.
      const own = await scene.run(node, [{ ...item, text: 'Allow' }], { stepResult: '={{ $json.text }}' });
      expect(codeOf(own)).toBe('no_decision');
      expect(await stillOpen()).toHaveLength(1);
    });

    test('an answer that was delivered is none to the next request', async () => {
      const first = await scene.ask(kind);
      const { items } = await scene.run(node, [{ ...first, data: answer }]);
      const [used] = items('Node');
      await scene.ask(kind);
      const again = await scene.run(node, [used!.json], {
        sessionFrom: 'named',
        sessionName: scene.sessionName,
        requestFrom: 'open',
      });
      expect(codeOf(again)).toBe('no_decision');
      expect(await stillOpen()).toHaveLength(1);
    });

    test('who decided stands in the item, and a decision without a name is refused where one is required', async () => {
      const item = await scene.ask(kind);
      const required = { requireResponder: true };
      const nameless = await scene.run(node, [{ ...item, data: answer }], required);
      expect(codeOf(nameless)).toBe('no_responder');
      expect(await stillOpen()).toHaveLength(1);

      const data = { ...answer, 'Your Name': 'Ann', respondedAt: '2030-01-01T10:00:00.000Z' };
      const { items, error } = await scene.run(node, [{ ...item, data }], required);
      expect(error).toBeUndefined();
      expect(items('Node')[0]?.json.decision).toMatchObject({
        action,
        responder: { id: '', name: 'Ann', channel: 'form', claimed: true },
        responded_at: '2030-01-01T10:00:00.000Z',
      });

      const audit = await scene.run('chordStatus', [{ any: 1 }], { scope: 'decisions' });
      const [given, refusedOne] = audit.items('Node').map(({ json }) => json);
      expect(given).toMatchObject({ kind, responder: { name: 'Ann', claimed: true }, refused: null });
      expect(refusedOne).toMatchObject({
        kind,
        request_id: item.request.id,
        responder: null,
        refused: { code: 'no_responder' },
      });

      const late = await scene.run(node, [{ ...item, data: answer }]);
      expect(codeOf(late)).toBe('already_answered');
      expect(late.error?.message).toContain('by someone who gave the name "Ann"');
    });

    test('that nobody answered needs no name', async () => {
      const item = await scene.ask(kind);
      const { error } = await scene.run(node, [item], { whenNoDecision: 'deny', requireResponder: true });
      expect(error).toBeUndefined();
    });

    test('a sample of the trigger is called one, wherever it stands', async () => {
      const { json: sample } = await eventItem(sampleEvent(`${kind}_request`), () =>
        Promise.reject(new Error()),
      );
      const step = { data: answer };
      for (const parameters of [
        {},
        { sessionFrom: 'key', sessionKey: (sample.session as IDataObject).key },
      ]) {
        const direct = await scene.run(node, [{ ...sample, ...step }], parameters);
        expect(codeOf(direct)).toBe('sample_request');
        expect(direct.error?.message).toContain('This is a sample request');
      }
      const named = { sessionFrom: 'named', sessionName: scene.sessionName };
      for (const parameters of [{}, named]) {
        const behind = await scene.engine.execute(
          {
            nodes: [
              itemsNode('Start', [sample]),
              stubNode('Ask', 'test.askPerson', { items: JSON.stringify([step]) }),
              chordNode('Node', node, parameters as never),
            ],
            connections: connect('Start > Ask', 'Ask > Node'),
          },
          'Start',
        );
        expect(codeOf(behind)).toBe('sample_request');
      }
      // Also before there is an approval step at all.
      expect(codeOf(await scene.run(node, [sample]))).toBe('sample_request');
    });
  });

  test.each([
    ['chordConfirm', 'confirm', { decision: 'allow' }, 'allow'],
    ['chordConfirm', 'confirm', { decision: 'deny' }, 'deny'],
    ['chordQuestion', 'question', { answerMode: 'options', answers: 'Red' }, 'answer'],
    ['chordHandoff', 'handoff', { decision: 'cancel' }, 'cancel'],
  ] as const)('a decision that %s makes itself is not touched (%s)', async (node, kind, decision, action) => {
    for (const whenNoDecision of ['deny', 'leave']) {
      scene.nextSession();
      const item = await scene.ask(kind);
      const { items } = await scene.run(node, [item], { ...decision, whenNoDecision });
      expect(items('Node')[0]?.json.decision).toMatchObject({ action, responder: null });
    }
  });

  test('a wrong node for the kind names the one that takes every kind', async () => {
    const item = await scene.ask('question');
    const { error } = await scene.run('chordConfirm', [{ ...item, data: { Decision: 'Allow' } }]);
    expect(error?.context.code).toBe('wrong_kind');
    expect(error?.description).toContain('Chord Answer');
  });

  test('minutes_left stands in the request that the approval step asks for', async () => {
    expect((await scene.ask('confirm')).request.minutes_left).toBeNull();
  });
});
