import type { IDataObject } from 'n8n-workflow';
import type { CallResult } from '../../../../chord/session/contract';
import { allow, approval, requestItem } from '../../support/approval';
import { sessionKey, useBench } from '../../support/bench';
import { confirmRequest } from '../../support/FakeSession';
import { approvalLoop, chordNode, connect, itemsNode, stubNode } from '../../support/flow';

const bench = useBench();

const { session } = bench;

const confirmed = (key = sessionKey) => bench.registry.session(key).decided;

const needsDecision = (...ids: string[]): CallResult => ({
  kind: 'needs_decision',
  events: ids.map((id) => session().ask(confirmRequest(id))),
});

/** An item that reaches Confirm as it came. */
const direct = (item: IDataObject) => ({
  nodes: [itemsNode('Start', [item]), chordNode('Confirm', 'chordConfirm')],
  connections: connect('Start > Confirm'),
});

/** One item that went through two nodes, of which each gave it a request of its own. */
const twoRequests = {
  nodes: [
    itemsNode('First', [requestItem('r1')]),
    stubNode('Second', 'test.answerEach', { items: JSON.stringify([requestItem('r2')]) }),
    stubNode('Ask', 'test.answerEach', { items: JSON.stringify([allow]) }),
    chordNode('Confirm', 'chordConfirm'),
  ],
  connections: connect('First > Second', 'Second > Ask', 'Ask > Confirm'),
};

describe('automatic request and session', () => {
  it('takes the request of the incoming item', async () => {
    session().ask(confirmRequest('r1'));
    session().ask(confirmRequest('r2'));
    const item = { ...requestItem('r1'), Decision: 'Allow' };
    const { error } = await bench.engine.execute(direct(item), 'Start');
    expect(error).toBeUndefined();
    expect(confirmed()).toEqual(['r1:allow']);
  });

  it("B59: takes the incoming item's request even if it is closed, never the open one", async () => {
    session().ask(confirmRequest('r1'));
    session().close('r1', 'answered', 'deny');
    session().ask(confirmRequest('r2'));
    const item = { ...requestItem('r1'), Decision: 'Allow' };
    const { error } = await bench.engine.execute(direct(item), 'Start');
    expect(error?.context.code).toBe('already_answered');
    expect(confirmed()).toEqual([]);
  });

  it('looks it up behind a step that replaces the item', async () => {
    session().ask(confirmRequest('r1'));
    const { error } = await bench.engine.execute(approval([requestItem('r1')], [allow]), 'Start');
    expect(error).toBeUndefined();
    expect(confirmed()).toEqual(['r1:allow']);
  });

  it('B31: follows the pairing of each item', async () => {
    for (const id of ['r1', 'r2', 'r3']) session().ask(confirmRequest(id));
    const items = ['r1', 'r2', 'r3'].map((id) => requestItem(id));
    const answers = [allow, { data: { Decision: 'Deny', Reason: 'no' } }, allow];
    await bench.engine.execute(approval(items, answers), 'Start');
    expect(confirmed()).toEqual(['r1:allow', 'r2:deny', 'r3:allow']);
    expect(session().confirmed[1]?.denyReason).toBe('no');
  });

  it('finds a node whose name has quotes and braces', async () => {
    session().ask(confirmRequest('r1'));
    const name = `It's "the" {{ Start }}`;
    const flow = approval([requestItem('r1')], [allow]);
    flow.nodes[0]!.name = name;
    flow.connections = connect(`${name} > Ask`, 'Ask > Confirm');
    const { error } = await bench.engine.execute(flow, name);
    expect(error).toBeUndefined();
    expect(confirmed()).toEqual(['r1:allow']);
  });

  it.each([1, 2, 3])('loops through %i rounds, each with its own request', async (rounds) => {
    session().onSend = () => needsDecision('r1');
    session().onConfirmed = ({ requestId }) => {
      const round = Number(requestId.slice(1));
      return round < rounds
        ? needsDecision(`r${round + 1}`)
        : { kind: 'finished', result: session().finished('all done') };
    };
    const { error, items } = await bench.engine.execute(approvalLoop([allow]), 'Start');
    expect(error).toBeUndefined();
    expect(confirmed()).toEqual(Array.from({ length: rounds }, (_, round) => `r${round + 1}:allow`));
    expect(items('Confirm', 0, rounds - 1)[0]?.json).toMatchObject({
      text: 'all done',
      decision: { request_id: `r${rounds}`, action: 'allow' },
    });
    expect(bench.registry.leases).toBe(0);
  });

  it('keeps lines apart in Loop Over Items, also when an earlier one left its request open', async () => {
    const asked = new Map([
      ['one', 'r1'],
      ['two', 'r2'],
    ]);
    session().onSend = ({ message }) => needsDecision(asked.get(message) ?? '');
    session().onConfirmed = ({ requestId }) =>
      requestId === 'r1' ? needsDecision('r1b') : { kind: 'finished', result: session().finished(requestId) };
    const flow = {
      nodes: [
        itemsNode('Start', [{ task: 'one' }, { task: 'two' }]),
        stubNode('Each', 'test.loopOverItems'),
        chordNode('Send', 'chordSend', { message: '={{ $json.task }}' }),
        stubNode('Ask', 'test.askPerson', { items: JSON.stringify([allow]) }),
        chordNode('Confirm', 'chordConfirm', { waitFor: 'turn' }),
      ],
      // The second request of the first item is not asked for; the loop goes on to the second item.
      connections: connect(
        'Start > Each',
        'Each:1 > Send',
        'Send:1 > Ask',
        'Ask > Confirm',
        'Confirm > Each',
        'Confirm:1 > Each',
      ),
    };
    const { error } = await bench.engine.execute(flow, 'Start');
    expect(error).toBeUndefined();
    expect(confirmed()).toEqual(['r1:allow', 'r2:allow']);
  });

  it('does not guess between two open requests: both are listed', async () => {
    session().ask(confirmRequest('r1'));
    session().ask(confirmRequest('r2'));
    const { error } = await bench.engine.execute(twoRequests, 'First');
    expect(error?.context.code).toBe('ambiguous_request');
    expect(error?.message).toContain('r1');
    expect(error?.message).toContain('r2');
    expect(confirmed()).toEqual([]);
  });

  it('takes the open one of two when the ledger shows the other closed', async () => {
    session().ask(confirmRequest('r1'));
    session().close('r1', 'expired');
    session().ask(confirmRequest('r2'));
    await bench.engine.execute(twoRequests, 'First');
    expect(confirmed()).toEqual(['r2:allow']);
  });

  it('says so when no request is there', async () => {
    const { error } = await bench.engine.execute(approval([{ hello: 1 }], [allow]), 'Start');
    expect(error?.context.code).toBe('unknown_request');
  });

  it('ignores requests of another kind behind a step, and refuses an incoming one', async () => {
    session().ask(confirmRequest('r1'));
    const question = { session: { key: sessionKey }, request: { id: 'q1', kind: 'question' } };
    const direct = await bench.engine.execute(
      {
        nodes: [
          itemsNode('Start', [{ ...question, Decision: 'Allow' }]),
          chordNode('Confirm', 'chordConfirm'),
        ],
        connections: connect('Start > Confirm'),
      },
      'Start',
    );
    const behind = await bench.engine.execute(approval([question], [allow]), 'Start');
    expect(direct.error?.context.code).toBe('wrong_kind');
    expect(behind.error?.context.code).toBe('unknown_request');
    expect(confirmed()).toEqual([]);
  });

  it('a request of an item that its session does not know is lost, not unknown', async () => {
    const { error } = await bench.engine.execute(approval([requestItem('gone')], [allow]), 'Start');
    expect(error?.context.code).toBe('no_longer_pending');
  });
});
