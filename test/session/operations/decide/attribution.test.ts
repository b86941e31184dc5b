import type { Attribution } from '../../../../chord/session/contract';
import { Harness } from '../../support/Harness';
import { failure } from '../../support/promises';

const ann: Attribution = {
  responder: { id: 'U1', name: 'Ann', channel: 'slack', claimed: false },
  responded_at: '2029-12-31T23:59:00.000Z',
};

async function asking() {
  const harness = await Harness.start('d2');
  harness.chord.work();
  harness.chord.confirmRequest('r1');
  return harness;
}

test('who decided, and when, stands in the decision and in the audit', async () => {
  const harness = await asking();
  const { decision } = await harness.confirm('r1', { attribution: ann });
  expect(decision).toMatchObject(ann);
  expect(harness.tried).toEqual([expect.objectContaining({ ...ann, action: 'allow', refused: null })]);
});

test('where nobody tells, both say so', async () => {
  const harness = await asking();
  const nobody = { responder: null, responded_at: null };
  expect((await harness.confirm('r1')).decision).toMatchObject(nobody);
  expect(harness.tried).toEqual([expect.objectContaining(nobody)]);
});

test('a refused decision names whose it was', async () => {
  const harness = await asking();
  await failure(harness.confirm('r1', { attribution: ann, editedArguments: 'no json' }));
  expect(harness.tried).toEqual([
    expect.objectContaining({
      ...ann,
      refused: expect.objectContaining({ code: 'invalid_answer' }) as object,
    }),
  ]);
});

test.each<[string, Attribution['responder'], string]>([
  ['a person with a name', ann.responder, 'has already been allowed by Ann at'],
  [
    'a person without one',
    { id: '42', name: '', channel: 'telegram', claimed: false },
    'has already been allowed by 42 at',
  ],
  [
    'a name that was only typed',
    { id: '', name: 'Ann', channel: 'form', claimed: true },
    'has already been allowed by someone who gave the name "Ann" at',
  ],
  ['nobody', null, 'has already been allowed at'],
])('who comes too late is told who was first: %s', async (_, responder, expected) => {
  const harness = await asking();
  const attribution = { responder, responded_at: null };
  await harness.confirm('r1', { attribution });
  const late = await failure(harness.confirm('r1', { action: 'deny' }));
  expect(late.code).toBe('already_answered');
  expect(late.message).toContain(expected);
  expect(late.facts.details).toMatchObject({ responder });
});

test('an answer that Chord took from somebody else is not put down to ours', async () => {
  const harness = await asking();
  const { chord } = harness;
  chord.deaf = true;
  const ours = harness.confirm('r1', { attribution: ann });
  chord.push('confirm_resolved', { request_id: 'r1', reason: 'denied' });
  expect((await failure(ours)).message).not.toContain('Ann');
  const late = await failure(harness.confirm('r1'));
  expect(late.message).toContain('has already been denied at');
});

test('an answer that could not be given leaves no name behind', async () => {
  const harness = await asking();
  const { chord } = harness;
  chord.refusals.confirm = 'no';
  await failure(harness.confirm('r1', { attribution: ann }));
  await harness.confirm('r1', { action: 'deny' });
  const late = await failure(harness.confirm('r1'));
  expect(late.message).not.toContain('Ann');
});
