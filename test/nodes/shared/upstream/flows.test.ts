import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Flow } from '../../../support/Engine';
import { allow, requestItem } from '../../support/approval';
import { useBench } from '../../support/bench';
import { confirmRequest } from '../../support/FakeSession';
import { chordNode, connect, itemsNode, stubNode, type ChordNodeType } from '../../support/flow';

/** How "automatic" finds its request in workflows of every shape. */

const bench = useBench();

const { session } = bench;

const deny = { data: { Decision: 'Deny' } };

const confirmed = () => session().decided;

/** Opens requests, and gives their items as the Chord Trigger emits them. */
const requests = (...ids: string[]): IDataObject[] =>
  ids.map((id) => {
    session().ask(confirmRequest(id));
    return requestItem(id);
  });

/** A step that replaces what it is given, item by item, as a send-and-wait node does. */
const step = (name: string, ...items: IDataObject[]): INode =>
  stubNode(name, 'test.answerEach', { items: JSON.stringify(items) });

const confirm = (name = 'Confirm') => chordNode(name, 'chordConfirm');

const run = async (flow: Flow, executionId = '1') =>
  await bench.engine.execute(flow, 'Start', { executionId, mode: 'trigger' });

describe('automatic request and session', () => {
  it('through several nodes that each replace the item', async () => {
    const { error } = await run({
      nodes: [
        itemsNode('Start', requests('r1')),
        step('Shorten', { title: 'short' }),
        step('Look up', { person: 'Ada' }),
        step('Ask', allow),
        step('Note', { ...allow, noted: true }),
        confirm(),
      ],
      connections: connect(
        'Start > Shorten',
        'Shorten > Look up',
        'Look up > Ask',
        'Ask > Note',
        'Note > Confirm',
      ),
    });
    expect(error).toBeUndefined();
    expect(confirmed()).toEqual(['r1:allow']);
  });

  it('on branches that meet in one node: each run takes the request of its own branch', async () => {
    const { error, runsOf } = await run({
      nodes: [
        itemsNode('Start', requests('r1', 'r2')),
        stubNode('Which', 'test.split'),
        step('Ask by mail', allow),
        step('Ask by chat', deny),
        confirm(),
      ],
      connections: connect(
        'Start > Which',
        'Which:0 > Ask by mail',
        'Which:1 > Ask by chat',
        'Ask by mail > Confirm',
        'Ask by chat > Confirm',
      ),
    });
    expect(error).toBeUndefined();
    expect(runsOf('Confirm')).toHaveLength(2);
    expect(confirmed().sort()).toEqual(['r1:allow', 'r2:deny']);
  });

  it('on branches with a responder each, side by side', async () => {
    const { error } = await run({
      nodes: [
        itemsNode('Start', requests('r1', 'r2')),
        stubNode('Which', 'test.split'),
        step('Ask one', allow),
        step('Ask two', deny),
        confirm('Confirm one'),
        confirm('Confirm two'),
      ],
      connections: connect(
        'Start > Which',
        'Which:0 > Ask one',
        'Which:1 > Ask two',
        'Ask one > Confirm one',
        'Ask two > Confirm two',
      ),
    });
    expect(error).toBeUndefined();
    expect(confirmed().sort()).toEqual(['r1:allow', 'r2:deny']);
  });

  it('one request asked on two branches is answered once: the second answer is refused as late', async () => {
    const { error } = await run({
      nodes: [
        itemsNode('Start', requests('r1')),
        step('Ask one', allow),
        step('Ask two', deny),
        confirm('Confirm one'),
        confirm('Confirm two'),
      ],
      connections: connect(
        'Start > Ask one',
        'Start > Ask two',
        'Ask one > Confirm one',
        'Ask two > Confirm two',
      ),
    });
    expect(error?.context.code).toBe('already_answered');
    expect(confirmed()).toHaveLength(1);
  });

  describe('behind a Merge', () => {
    const merged = (
      merge: string,
      first: IDataObject,
      second: IDataObject,
      start = requests('r1', 'r2'),
    ): Flow => ({
      nodes: [
        itemsNode('Start', start),
        stubNode('Which', 'test.split'),
        step('One', first),
        step('Two', second),
        stubNode('Merge', merge),
        confirm(),
      ],
      connections: connect(
        'Start > Which',
        'Which:0 > One',
        'Which:1 > Two',
        'One > Merge:0',
        'Two > Merge:1',
        'Merge > Confirm',
      ),
    });

    it('that appends, each item takes the request of its own branch', async () => {
      const { error, runsOf } = await run(merged('test.append', allow, deny));
      expect(error).toBeUndefined();
      expect(runsOf('Confirm')).toHaveLength(1);
      expect(confirmed()).toEqual(['r1:allow', 'r2:deny']);
    });

    it('that makes one item of two requests, it does not guess: both are listed', async () => {
      const { error } = await run(merged('test.combine', allow, { note: 'of the second' }));
      expect(error?.context.code).toBe('ambiguous_request');
      expect(error?.message).toContain('r1');
      expect(error?.message).toContain('r2');
      expect(confirmed()).toEqual([]);
    });

    it('that makes one item of two requests, it takes neither where one of them is closed', async () => {
      const flow = merged('test.combine', allow, { note: 'of the second' });
      session().close('r2', 'expired');
      const { error } = await run(flow);
      expect(error?.context.code).toBe('ambiguous_request');
      expect(error?.message).toContain('r2 (expired)');
      expect(confirmed()).toEqual([]);
    });

    it('that makes one item of two that carry the same request', async () => {
      const [request] = requests('r1');
      const flow = merged('test.combine', allow, { note: 'of the second' }, [request!, request!]);
      const { error } = await run(flow);
      expect(error).toBeUndefined();
      expect(confirmed()).toEqual(['r1:allow']);
    });

    it('that makes one item of two, a request that may be of neither is not taken', async () => {
      const flow: Flow = {
        nodes: [
          itemsNode('Start', [...requests('r1'), { note: 'first' }, { note: 'second' }]),
          stubNode('Which', 'test.split'),
          step('One', allow),
          step('Two', { note: 'of the second' }),
          stubNode('Merge', 'test.combine'),
          confirm(),
        ],
        connections: connect(
          'Start > Which',
          'Which:1 > One',
          'Which:2 > Two',
          'One > Merge:0',
          'Two > Merge:1',
          'Merge > Confirm',
        ),
      };
      const { error } = await run(flow);
      expect(error?.context.code).toBe('ambiguous_request');
      expect(error?.message).toContain('It is unclear whether the request r1 (open) belongs to this item.');
      expect(confirmed()).toEqual([]);
    });

    it('that joins an answer with the item of its own request', async () => {
      const { error } = await run({
        nodes: [
          itemsNode('Start', requests('r1')),
          step('Ask', allow),
          step('Details', { details: 'more' }),
          stubNode('Merge', 'test.combine'),
          confirm(),
        ],
        connections: connect(
          'Start > Ask',
          'Start > Details',
          'Ask > Merge:0',
          'Details > Merge:1',
          'Merge > Confirm',
        ),
      });
      expect(error).toBeUndefined();
      expect(confirmed()).toEqual(['r1:allow']);
    });
  });

  it('in a sub-workflow that was passed the item, whatever steps are in it', async () => {
    session().onSend = () => ({
      kind: 'needs_decision',
      events: [session().ask(confirmRequest('r1'))],
    });
    const caller = await run({
      nodes: [itemsNode('Start', [{}]), chordNode('Send', 'chordSend', { message: 'go' })],
      connections: connect('Start > Send'),
    });
    const passed = caller.items('Send', 1).map(({ json }) => json);
    const { error, items } = await run(
      {
        nodes: [itemsNode('Start', passed), step('Ask', allow), confirm()],
        connections: connect('Start > Ask', 'Ask > Confirm'),
      },
      '2',
    );
    expect(error).toBeUndefined();
    expect(confirmed()).toEqual(['r1:allow']);
    expect(items('Confirm')[0]?.json).toMatchObject({ decision: { request_id: 'r1' } });
  });

  it('a sub-workflow that was passed the answer alone finds nothing, and grants nothing', async () => {
    requests('r1');
    const { error } = await run(
      { nodes: [itemsNode('Start', [allow]), confirm()], connections: connect('Start > Confirm') },
      '2',
    );
    expect(error?.context.code).toBe('unknown_request');
    expect(confirmed()).toEqual([]);
  });

  it('two candidates of different sessions are listed too', async () => {
    const [first] = requests('r1');
    bench.registry.session('other').ask(confirmRequest('r1'));
    const { error } = await run({
      nodes: [
        itemsNode('Start', [first!]),
        step('Second', { ...first, session: { key: 'other' } }),
        step('Ask', allow),
        confirm(),
      ],
      connections: connect('Start > Second', 'Second > Ask', 'Ask > Confirm'),
    });
    expect(error?.context.code).toBe('ambiguous_request');
    expect(confirmed()).toEqual([]);
    expect(bench.registry.session('other').confirmed).toEqual([]);
  });

  /** In a manual run n8n gives pinned data for every run of its node that is asked for, without an end. */
  describe('with pinned data, run by hand', () => {
    const test = async (flow: Flow, pinned: Record<string, IDataObject[]>) =>
      await bench.engine.execute(flow, 'Start', {
        mode: 'manual',
        pinData: Object.fromEntries(
          Object.entries(pinned).map(([name, items]) => [name, items.map((json) => ({ json }))]),
        ),
      });

    it('a responder takes the request of a pinned trigger', async () => {
      const { error } = await test(
        {
          nodes: [chordNode('Start', 'chordTrigger'), step('Ask', allow), confirm()],
          connections: connect('Start > Ask', 'Ask > Confirm'),
        },
        { Start: requests('r1') },
      );
      expect(error).toBeUndefined();
      expect(confirmed()).toEqual(['r1:allow']);
    });

    it('a responder takes the request of a pinned node that ran several times', async () => {
      const { error } = await test(
        {
          nodes: [
            itemsNode('Start', [{ n: 1 }, { n: 2 }]),
            stubNode('Each', 'test.loopOverItems'),
            chordNode('Send', 'chordSend', { message: 'Go on' }),
            step('Ask', allow),
            chordNode('Confirm', 'chordConfirm', { decision: 'allow' }),
          ],
          connections: connect('Start > Each', 'Each:1 > Send', 'Send > Ask', 'Ask > Each', 'Each > Confirm'),
        },
        { Send: requests('r1') },
      );
      expect(error).toBeUndefined();
      expect(confirmed()).toEqual(['r1:allow']);
    });

    it.each<[ChordNodeType, IDataObject]>([
      ['chordSend', { message: 'Go on', options: { whenRequestOpen: 'wait' } }],
      ['chordQuestion', { answerMode: 'decline' }],
      ['chordHandoff', { decision: 'deny' }],
      ['chordControl', { operation: 'setRole', role: 'planner' }],
    ])('%s ends', async (type, parameters) => {
      const { runsOf } = await test(
        {
          nodes: [
            chordNode('Start', 'chordTrigger'),
            step('Ask', allow),
            chordNode('Node', type, parameters as INodeParameters),
          ],
          connections: connect('Start > Ask', 'Ask > Node'),
        },
        { Start: requests('r1') },
      );
      expect(runsOf('Node')).toHaveLength(1);
    });
  });
});
