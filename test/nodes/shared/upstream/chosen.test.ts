import type { IDataObject } from 'n8n-workflow';
import { sampleEvent } from '../../../../nodes/ChordTrigger/samples/sampleEvent';
import { allow, approval, requestItem } from '../../support/approval';
import { sessionKey, useBench } from '../../support/bench';
import { confirmRequest } from '../../support/FakeSession';
import { chordNode, connect, itemsNode, stubNode } from '../../support/flow';

const bench = useBench();

const { session } = bench;

const confirmed = (key = sessionKey) => bench.registry.session(key).decided;

describe('chosen session and request', () => {
  const direct = (item: IDataObject, parameters: IDataObject) =>
    bench.engine.execute(
      {
        nodes: [
          itemsNode('Start', [item]),
          chordNode('Confirm', 'chordConfirm', { decision: 'allow', ...parameters } as never),
        ],
        connections: connect('Start > Confirm'),
      },
      'Start',
    );

  it('takes a typed id in the session of the incoming item', async () => {
    session().ask(confirmRequest('r1'));
    await direct({ session: { key: sessionKey } }, { requestFrom: 'id', requestId: 'r1' });
    expect(confirmed()).toEqual(['r1:allow']);
    expect(session().confirmed[0]?.fromItem).toBe(false);
  });

  it('a typed id that nobody knows is unknown', async () => {
    const { error } = await direct({ session: { key: sessionKey } }, { requestFrom: 'id', requestId: 'r9' });
    expect(error?.context.code).toBe('unknown_request');
  });

  it('B59: an empty id is an error, never "the pending one"', async () => {
    session().ask(confirmRequest('r1'));
    const { error } = await direct({ session: { key: sessionKey } }, { requestFrom: 'id', requestId: ' ' });
    expect(error?.context.code).toBe('unknown_request');
    expect(confirmed()).toEqual([]);
  });

  it('takes the only open one of a named session, also from an empty start item', async () => {
    session().ask(confirmRequest('r0'));
    session().close('r0', 'denied');
    session().ask(confirmRequest('r1'));
    await direct({}, { sessionFrom: 'named', requestFrom: 'open' });
    expect(confirmed()).toEqual(['r1:allow']);
  });

  it.each([
    ['behind a step that replaced the item', approval([requestItem('r1')], [allow], { requestFrom: 'open' })],
    ['beside its answer', approval([{}], [{ ...requestItem('r1'), ...allow }], { requestFrom: 'open' })],
  ])('an answer to a request that is closed is none to the only open one: %s', async (_where, flow) => {
    session().ask(confirmRequest('r1'));
    session().close('r1', 'expired');
    session().ask(confirmRequest('r2'));
    const { error } = await bench.engine.execute(flow, 'Start');
    expect(error?.context.code).toBe('ambiguous_request');
    expect(error?.message).toContain('r2 (open)');
    expect(confirmed()).toEqual([]);
  });

  it('the only open one may be the one that the item asks about, or one of another session', async () => {
    session().ask(confirmRequest('r1'));
    await bench.engine.execute(approval([requestItem('r1')], [allow], { requestFrom: 'open' }), 'Start');
    session().close('r1', 'answered', 'allow');
    session().ask(confirmRequest('r2'));
    const other = { ...requestItem('r1'), session: { key: 'other' } };
    const open = { sessionFrom: 'named', requestFrom: 'open' };
    await bench.engine.execute(approval([other], [allow], open), 'Start');
    expect(confirmed()).toEqual(['r1:allow', 'r2:allow']);
  });

  it('refuses to choose between two open ones', async () => {
    session().ask(confirmRequest('r1'));
    session().ask(confirmRequest('r2'));
    const { error } = await direct({}, { sessionFrom: 'named', requestFrom: 'open' });
    expect(error?.context.code).toBe('ambiguous_request');
  });

  it('for a node that answers every kind, the open ones of all kinds count', async () => {
    const { request: question } = sampleEvent('question_request');
    session().ask(confirmRequest('r1'));
    session().ledger.push({ ...session().ledger[0]!, request: { ...question!, id: 'q1' } });
    const { error } = await bench.engine.execute(
      {
        nodes: [
          itemsNode('Start', [{ Decision: 'Allow' }]),
          chordNode('Answer', 'chordAnswer', { sessionFrom: 'named', requestFrom: 'open' }),
        ],
        connections: connect('Start > Answer'),
      },
      'Start',
    );
    expect(error?.context.code).toBe('ambiguous_request');
    expect(error?.message).toContain('r1 (open), q1 (open)');
    expect(confirmed()).toEqual([]);
  });

  it('refuses a request of another session than the chosen one', async () => {
    bench.registry.session('other').ask(confirmRequest('r1'));
    session().ask(confirmRequest('r1'));
    const { error } = await direct(requestItem('r1', 'other'), { sessionFrom: 'named' });
    expect(error?.context.code).toBe('wrong_session');
    expect([...confirmed(), ...confirmed('other')]).toEqual([]);
  });

  it('goes to the session of its item, although another one knows the same id', async () => {
    bench.registry.session('other').ask(confirmRequest('r1'));
    session().ask(confirmRequest('r1'));
    await direct(requestItem('r1', 'other'), {});
    expect([confirmed(), confirmed('other')]).toEqual([[], ['r1:allow']]);
  });

  it('never starts a process', async () => {
    session().ask(confirmRequest('r1'));
    await direct(requestItem('r1'), {});
    expect(new Set(bench.registry.opened.map(({ process }) => process))).toEqual(new Set(['never']));
    expect(bench.registry.leases).toBe(0);
  });
});

describe('empty items from "Always Output Data"', () => {
  it('approve nothing', async () => {
    session().ask(confirmRequest('r1'));
    const flow = {
      nodes: [
        itemsNode('Start', [requestItem('r1')]),
        stubNode('Refused', 'test.nothing', {}, { alwaysOutputData: true }),
        chordNode('Confirm', 'chordConfirm', { decision: 'allow' }),
      ],
      connections: connect('Start > Refused', 'Refused > Confirm'),
    };
    const { error, items, runsOf } = await bench.engine.execute(flow, 'Start');
    expect(error).toBeUndefined();
    expect(runsOf('Confirm')).toHaveLength(1);
    expect(items('Confirm')).toEqual([]);
    expect(confirmed()).toEqual([]);
  });
});
