import type { IDataObject } from 'n8n-workflow';
import { asks, ChordProject } from '../support/ChordProject';
import { approvalLoop } from '../support/flow';
import { useTasks } from '../support/Tasks';

jest.setTimeout(60_000);

const tasks = useTasks();

describe('Confirm', () => {
  it('allows, and gives the report when it waits', async () => {
    const item = await tasks.ask();
    const { items, error } = await tasks.confirm([item], { decision: 'allow', waitFor: 'turn' });
    expect(error).toBeUndefined();
    expect(items('Confirm')[0]?.json).toMatchObject({
      outcome: 'completed',
      text: 'It is done.',
      decision: { request_id: item.request.id, action: 'allow' },
    });
  });

  it('B60: answers once: a second answer is refused, soon and late', async () => {
    const item = await tasks.ask();
    await tasks.confirm([item], { decision: 'deny' });
    const again = await tasks.confirm([item], { decision: 'allow' }, {}, '10');
    expect(again.error?.context.code).toBe('already_answered');
    expect(tasks.decided(item.request.id)).toEqual(['deny']);
  });

  it('B30: of two at once one wins, and the other says which', async () => {
    const item = await tasks.ask();
    const both = await Promise.all([
      tasks.confirm([item], { decision: 'allow' }, {}, '11'),
      tasks.confirm([item], { decision: 'deny' }, {}, '12'),
    ]);
    expect(both.map(({ error }) => error?.context.code).sort()).toEqual(['already_answered', undefined]);
    expect(tasks.decided(item.request.id)).toHaveLength(1);
    const loser = both.find(({ error }) => error)!;
    expect(loser.error?.message).toContain(tasks.decided(item.request.id)[0] === 'allow' ? 'allow' : 'den');
  });

  it('B58, B74: a late answer writes nothing, neither a decision nor a message', async () => {
    const item = await tasks.ask();
    await tasks.send([{ task: 'quick' }], { options: { whenRequestOpen: 'dismiss' } }, {}, '2');
    const sends = tasks.project.commands('send').length;
    const { error } = await tasks.confirm([item], { decision: 'allow' });
    expect(error?.context.code).toBe('no_longer_pending');
    expect(tasks.decided(item.request.id)).toEqual([]);
    expect(tasks.project.commands('send')).toHaveLength(sends);
  });

  it('B59: an answered request is no key to the next one', async () => {
    const first = await tasks.ask();
    const { items } = await tasks.confirm([first], { decision: 'deny', waitFor: 'turn' });
    expect(items('Confirm')).toHaveLength(1);
    const second = await tasks.ask('a second time');
    const { error } = await tasks.confirm([first], { decision: 'allow' }, {}, '20');
    expect(error?.context.code).toBe('already_answered');
    expect(tasks.decided(second.request.id)).toEqual([]);
  });

  it('bad arguments and rules are refused, and the request stays open', async () => {
    const item = await tasks.ask();
    for (const options of [
      { editedArguments: '{"command":' },
      { editedArguments: '"ls"' },
      { ruleScope: 'project' },
    ]) {
      const { error } = await tasks.confirm([item], { decision: 'allow', options });
      expect(error?.context.code).toBe('invalid_answer');
    }
    expect(tasks.decided(item.request.id)).toEqual([]);
    const { items } = await tasks.confirm([item], {
      decision: 'allow',
      waitFor: 'turn',
      options: { editedArguments: '{"command":"echo edited"}' },
    });
    expect(items('Confirm')[0]?.json.outcome).toBe('completed');
    expect(tasks.project.recorded('tool').at(-1)?.arguments).toContain('echo edited');
  });

  it("n8n's Retry On Fail returns the noted decision and writes nothing twice", async () => {
    const item = await tasks.ask();
    const first = await tasks.confirm([item], { decision: 'allow' }, {}, '30');
    const again = await tasks.confirm([item], { decision: 'allow' }, {}, '30');
    expect(first.items('Confirm')[0]?.json.decision).toMatchObject({ action: 'allow' });
    expect(again.items('Confirm')[0]?.json.decision).toEqual(first.items('Confirm')[0]?.json.decision);
    expect(tasks.decided(item.request.id)).toEqual(['allow']);
  });

  it('a request of a Chord that has ended is lost', async () => {
    const item = await tasks.ask();
    const gone = { ...item, request: { ...item.request, id: 'confirm-of-yesterday' } };
    const { error } = await tasks.confirm([gone], { decision: 'allow' });
    expect(error?.context.code).toBe('no_longer_pending');
  });

  it('a session key of another credential is refused', async () => {
    const item = await tasks.ask();
    const { error } = await tasks.confirm([item], {
      decision: 'allow',
      sessionFrom: 'key',
      sessionKey: `other${String((item.session as IDataObject).key)}`,
    });
    expect(error?.context.code).toBe('wrong_session');
    expect(tasks.decided(item.request.id)).toEqual([]);
  });
});

describe('the loop of Send, approval step and Confirm', () => {
  it('B31: asks again as long as Chord needs a decision', async () => {
    const threeTimes = await ChordProject.create([
      { id: 'one', when: { last_role: 'user' }, reply: asks('echo one') },
      { id: 'two', when: { last_role: 'tool' }, reply: asks('echo two') },
      { id: 'three', when: { last_role: 'tool' }, reply: asks('echo three') },
      { id: 'end', when: { last_role: 'tool' }, reply: { text: 'Asked three times.' } },
    ]);
    const answers = [
      { data: { Decision: 'Allow' } },
      { data: { Decision: 'Deny', Reason: 'no' } },
      { data: { approved: true } },
    ];
    const { error, items, runsOf } = await (
      await threeTimes.engine()
    ).execute(approvalLoop(answers), 'Start');
    expect(error).toBeUndefined();
    expect(runsOf('Confirm')).toHaveLength(3);
    expect(items('Confirm', 0, 2)[0]?.json.text).toBe('Asked three times.');
    expect(threeTimes.commands('confirm').map(({ action }) => action)).toEqual(['allow', 'deny', 'allow']);
    expect(threeTimes.recorded('tool').map(({ status: state }) => state)).toEqual(['ran', 'refused', 'ran']);
  });
});
