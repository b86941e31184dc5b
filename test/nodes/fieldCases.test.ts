import type { IDataObject, INode } from 'n8n-workflow';
import type { ProfileName } from '../../simulator/wire/profile';
import type { Reply, Step } from '../../simulator/scenario/scenario';
import type { Flow } from '../support/Engine';
import { until } from '../support/until';
import { shutDownRegistry } from './support/ChordProject';
import { chordNode, connect, itemsNode, stubNode } from './support/flow';
import { codeOf, useScene } from './support/Scene';

jest.setTimeout(60_000);

const asks = (task: string, reply: Reply): Step => ({
  id: task,
  times: 'any',
  when: { last_user: task, last_role: 'user' },
  reply,
});

const shell = { name: 'shell', args: { command: 'echo one', description: 'for a test' } };

/** A confirmation out of the blue: what Chord's own would be only with its time running. */
const confirmRequest = (request_id: string, timeout_ms: number): Reply['emit'] => [
  { type: 'confirm_request', payload: { request_id, tool_name: 'shell', args_json: '{}', timeout_ms } },
];

const steps: Step[] = [
  { id: 'after', times: 'any', when: { last_role: 'tool' }, reply: { text: 'It is over.' } },
  asks('confirm', { tool_calls: [shell] }),
  asks('short', { emit: confirmRequest('short', 20), hang: true }),
  asks('ends', { emit: confirmRequest('ends', 0), text: 'Never mind.' }),
];

afterAll(shutDownRegistry);

describe.each<ProfileName>(['d1', 'd3'])('cases from the field on %s', (profile) => {
  const scene = useScene(profile, steps);

  /** The decisions that reached Chord for a request, in order. */
  const decided = (id: string) =>
    scene.project
      .commands('confirm')
      .filter(({ request_id: requestId }) => requestId === id)
      .map(({ action }) => action);

  const execute = (executionId: string, nodes: INode[], ...links: string[]) => {
    const flow: Flow = { nodes, connections: connect(...links) };
    return scene.engine.execute(flow, nodes[0]!.name, { executionId, mode: 'trigger' });
  };

  const activate = (preset: string) =>
    scene.engine.activate(
      chordNode('Chord Trigger', 'chordTrigger', { preset, sessionName: scene.sessionName }),
    );

  const sendTask = (task: string) =>
    scene.run('chordSend', [{}], { message: task, sessionName: scene.sessionName, waitFor: 'nothing' });

  describe('B26: Trigger, wait, Confirm, run again', () => {
    /** The item that a real trigger emitted for the request. */
    const triggered = async () => {
      const { emitted, response } = await activate('decisions');
      await sendTask('confirm');
      await until(() => emitted.length === 1, { what: 'the trigger has the request' });
      await response.closeFunction?.();
      return emitted[0]!.json as IDataObject & { request: { id: string } };
    };

    const workflow = (executionId: string, item: IDataObject, decision: string) =>
      execute(
        executionId,
        [
          itemsNode('Chord Trigger', [item]),
          stubNode('Wait', 'test.askPerson', { items: JSON.stringify([{ data: { Decision: decision } }]) }),
          chordNode('Confirm', 'chordConfirm', {}, { onError: 'continueErrorOutput' }),
          stubNode('Allowed', 'test.look'),
        ],
        'Chord Trigger > Wait',
        'Wait > Confirm',
        'Confirm > Allowed',
      );

    test('resumed twice and restarted from the top: one line, and each time the noted outcome', async () => {
      const item = await triggered();
      const { id } = item.request;
      const resumed = await Promise.all([workflow('26', item, 'Allow'), workflow('26', item, 'Allow')]);
      const restarted = await workflow('26', item, 'Allow');
      const changed = await workflow('26', item, 'Deny');
      const outcomes = [...resumed, restarted, changed].map(({ items }) => items('Confirm'));
      expect(outcomes[0]).toMatchObject([
        { json: { outcome: 'sent', decision: { request_id: id, kind: 'confirm', action: 'allow' } } },
      ]);
      for (const outcome of outcomes)
        expect(outcome[0]?.json.decision).toEqual(outcomes[0]?.[0]?.json.decision);
      expect(decided(id)).toEqual(['allow']);
    });

    test('any other execution is told that it has been answered, which is no approval', async () => {
      const item = await triggered();
      await workflow('26-1', item, 'Allow');
      for (const decision of ['Allow', 'Deny']) {
        const { items, runsOf } = await workflow(`26-${decision}`, item, decision);
        expect(items('Confirm')).toEqual([]);
        expect(runsOf('Allowed')).toEqual([]);
        expect(items('Confirm', 2)).toMatchObject([
          { json: { error: { code: 'already_answered', action: 'allow' } } },
        ]);
      }
      expect(decided(item.request.id)).toEqual(['allow']);
    });

    test('so is another item of the same run, and another run of the node', async () => {
      const item = await triggered();
      const { id } = item.request;
      const confirm = chordNode(
        'Confirm',
        'chordConfirm',
        { decision: 'allow' },
        { onError: 'continueErrorOutput' },
      );
      const once = await execute(
        '26-items',
        [itemsNode('Chord Trigger', [item, item]), confirm],
        'Chord Trigger > Confirm',
      );
      expect(once.items('Confirm')).toMatchObject([{ pairedItem: { item: 0 } }]);
      expect(once.items('Confirm', 2)).toMatchObject([
        { json: { error: { code: 'already_answered' } }, pairedItem: { item: 1 } },
      ]);
      const looped = await execute(
        '26-items',
        [itemsNode('Chord Trigger', [item, item]), stubNode('Loop', 'test.loopOverItems'), confirm],
        'Chord Trigger > Loop',
        'Loop:1 > Confirm',
        'Confirm > Loop',
      );
      expect(looped.items('Confirm', 0, 0)).toMatchObject([{ json: { decision: { action: 'allow' } } }]);
      expect(looped.items('Confirm', 2, 1)).toMatchObject([
        { json: { error: { code: 'already_answered' } } },
      ]);
      expect(decided(id)).toEqual(['allow']);
    });
  });

  test('B27: the item says when its time is over; an approval after that writes nothing', async () => {
    const { emitted, response } = await activate('essentials');
    const of = (event: string) => emitted.map(({ json }) => json).filter((json) => json.event === event);
    await sendTask('short');
    await until(() => of('request_closed')[0], { what: 'the time is over' });
    await response.closeFunction?.();
    const [item] = of('confirm_request') as [IDataObject & { request: { expires_at: string } }];
    const { expires_at: expires } = item.request;
    expect(new Date(expires).toISOString()).toBe(expires);
    const late = await scene.run('chordConfirm', [item], { decision: 'allow' });
    expect(codeOf(late)).toBe('no_longer_pending');
    expect(late.error?.context.reason).toBe('expired');
    expect(late.error?.message).toContain('its time ran out');
    expect(decided('short')).toEqual([]);
  });

  test('B58, B73: an approval after the work has ended writes nothing, and the reason is "ended"', async () => {
    const { emitted, response } = await activate('essentials');
    const of = (event: string) => emitted.map(({ json }) => json).filter((json) => json.event === event);
    const answered = await sendTask('confirm').then(() => until(() => of('confirm_request')[0]));
    await scene.run('chordConfirm', [answered], { decision: 'allow', waitFor: 'turn' });
    await sendTask('ends');
    const item = await until(() => of('confirm_request')[1]);
    await until(() => of('request_closed').length > 0);
    const late = await scene.run('chordConfirm', [item], { decision: 'allow' });
    await response.closeFunction?.();
    expect(codeOf(late)).toBe('no_longer_pending');
    expect(late.error?.context.reason).toBe('ended');
    expect(decided('ends')).toEqual([]);
    // The first one was answered and its turn ended, which is no news about the request.
    expect(of('request_closed')).toMatchObject([{ reason: 'ended', request: { id: 'ends' } }]);
  });

  test('B32: three items with a decision each: three lines in order, and json and files survive', async () => {
    const asked: IDataObject[] = [];
    for (const choose of ['allow', 'deny', 'allow']) {
      scene.nextSession();
      asked.push({ ...(await scene.ask('confirm')), choose });
    }
    const before = scene.project.commands('confirm').length;
    const { items } = await execute(
      'B32',
      [
        itemsNode('Chord Trigger', asked),
        stubNode('Attach', 'test.attach'),
        chordNode('Confirm', 'chordConfirm', { decision: '={{ $json.choose }}' }),
      ],
      'Chord Trigger > Attach',
      'Attach > Confirm',
    );
    const ids = asked.map(({ request }) => (request as { id: string }).id);
    const lines = () => scene.project.commands('confirm').slice(before);
    await until(() => lines().length === 3);
    expect(lines().map(({ request_id: id, action }) => [id, action])).toEqual([
      [ids[0], 'allow'],
      [ids[1], 'deny'],
      [ids[2], 'allow'],
    ]);
    expect(
      items('Confirm').map(({ json, binary, pairedItem }) => [
        json.choose,
        (json.request as IDataObject).id,
        Buffer.from(binary?.file?.data ?? '', 'base64').toString(),
        pairedItem,
      ]),
    ).toEqual([
      ['allow', ids[0], '0', { item: 0 }],
      ['deny', ids[1], '1', { item: 1 }],
      ['allow', ids[2], '2', { item: 2 }],
    ]);
  });
});
