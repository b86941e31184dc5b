import type { ChordEvent, ConfirmForm, FormOption } from '../../../../chord/session/contract';
import { Harness } from '../../support/Harness';
import { failure, settle } from '../../support/promises';

/** A command with everything that a form or a browser may change. */
const command = '\nprintf "$$" > a.txt\r\n# b*';

const argsJson = `{"n":12345678901234567890,"command":${JSON.stringify(command)}}`;

/** Chord asks, and a listener has got the request with such a form. */
async function asked(approvalForm: FormOption[], args = argsJson) {
  const harness = await Harness.start('d1');
  const events: ChordEvent[] = [];
  await harness.listen({ approvalForm }, (event) => void events.push(event));
  harness.chord.work();
  harness.chord.confirmRequest('r1', { args_json: args, needs_approval: [] });
  const event = events.find(({ request }) => request?.id === 'r1');
  const allow = (form: Partial<ConfirmForm>, more = {}) =>
    harness.confirm('r1', { form: { remember: null, rule: null, command: null, ...form }, ...more });
  return { harness, chord: harness.chord, offer: event?.offer, allow };
}

const allowed = (more: object = {}) => [{ type: 'confirm', request_id: 'r1', action: 'allow', ...more }];

describe('what is offered', () => {
  test.each<[FormOption[], object | undefined]>([
    [[], undefined],
    [['name'], { rule: null, command: null, name: true }],
    [['edit'], { rule: null, command, name: false }],
    [['remember', 'edit'], { rule: 'printf "$$" > a.txt\r\n# b?', command, name: false }],
  ])('%j', async (options, offer) => {
    expect((await asked(options)).offer).toEqual(offer);
  });

  test('is what somebody offered: a second form takes nothing away', async () => {
    const { harness, chord, allow } = await asked(['edit']);
    await harness.listen({ id: 'another', approvalForm: ['remember'] }, () => undefined);
    await allow({ command: 'ls', remember: 'session' });
    expect(chord.written).toEqual(
      allowed({
        final_args_json: '{"n":12345678901234567890,"command":"ls"}',
        rule_pattern: 'ls',
        rule_scope: 'session',
      }),
    );
  });

  test('stands with the request that a call gives out', async () => {
    const harness = await Harness.start('d1');
    const sent = harness.send('go', { decisions: 'return', approvalForm: ['edit'] });
    await settle();
    harness.chord.work();
    harness.chord.confirmRequest('r1', { args_json: argsJson });
    expect(await sent).toMatchObject({ kind: 'needs_decision', events: [{ offer: { command } }] });
    await harness.confirm('r1', { form: { remember: null, rule: null, command: 'ls' } });
    expect(harness.chord.of('confirm')).toMatchObject([{ final_args_json: expect.stringContaining('"ls"') }]);
  });

  test('stands with the request that follows on an answer', async () => {
    const { harness, chord } = await asked([]);
    const answered = harness.confirm('r1', { waitFor: 'turn', decisions: 'return', approvalForm: ['edit'] });
    await settle();
    chord.confirmRequest('r2', { args_json: argsJson });
    expect(await answered).toMatchObject({
      after: { kind: 'needs_decision', events: [{ request: { id: 'r2' }, offer: { command } }] },
    });
  });

  test('a report is neither edited nor remembered', async () => {
    const harness = await Harness.start('d1');
    const offers: unknown[] = [];
    await harness.listen({ approvalForm: ['remember', 'edit'] }, ({ offer }) => void offers.push(offer));
    harness.chord.confirmRequest('r1', { tool_name: 'done', done_report: 'ready', args_json: argsJson });
    expect(offers.at(-1)).toEqual({ rule: null, command: null, name: false });
  });
});

describe('a field that nobody touched is no edit', () => {
  test.each([
    command,
    'printf "$$" > a.txt\r\n# b*',
    '\r\nprintf "$$" > a.txt\r\n# b*',
    'printf "$$" > a.txt\n# b*',
  ])('%j', async (given) => {
    const { chord, allow } = await asked(['edit']);
    await allow({ command: given });
    expect(chord.written).toEqual(allowed());
  });

  test('the rule neither', async () => {
    const { chord, allow } = await asked(['remember']);
    await allow({ rule: 'printf "$$" > a.txt\n# b?', remember: 'project' });
    expect(chord.written).toEqual(
      allowed({ rule_pattern: 'printf "$$" > a.txt\r\n# b?', rule_scope: 'project' }),
    );
  });
});

describe('what the person changed', () => {
  test.each(['printf "$" > a.txt\n# b*', 'printf "$$" > a.txt\n# b* ', 'ls\r\n'])(
    'the command: %j',
    async (given) => {
      const { chord, allow } = await asked(['edit']);
      await allow({ command: given }, { editedArguments: '{"command":"by the node"}' });
      const edited = JSON.stringify(given.replaceAll('\r\n', '\n'));
      expect(chord.written).toEqual(
        allowed({ final_args_json: `{"n":12345678901234567890,"command":${edited}}` }),
      );
    },
  );

  test('the rule, which goes before the one of the node', async () => {
    const { chord, allow } = await asked(['remember']);
    await allow({ rule: ' printf *\r\n', remember: 'session' }, { rule: { pattern: '*', scope: 'project' } });
    expect(chord.written).toEqual(allowed({ rule_pattern: 'printf *', rule_scope: 'session' }));
  });

  test('a rule that nobody touched is for the changed command', async () => {
    const { chord, allow } = await asked(['remember', 'edit']);
    await allow({ command: 'ls *.txt', rule: 'printf "$$" > a.txt\n# b?', remember: 'session' });
    expect(chord.written).toMatchObject([{ rule_pattern: 'ls ?.txt' }]);
  });

  test('a decision for this time only leaves the rule out', async () => {
    const { chord, allow } = await asked(['remember']);
    await allow({ rule: 'printf *' });
    expect(chord.written).toEqual(allowed());
  });
});

describe('what is refused before anything is written', () => {
  test.each<[string, FormOption[], Partial<ConfirmForm>, RegExp]>([
    ['a command', ['remember'], { command: 'ls' }, /"Command", which this request did not offer/],
    ['the same command', [], { command }, /"Command", which this request did not offer/],
    ['a rule', ['edit'], { rule: 'ls' }, /"Rule", which this request did not offer/],
    [
      'a decision to remember',
      ['edit', 'name'],
      { remember: 'session' },
      /to remember, which this request did not offer/,
    ],
    ['an empty command', ['edit'], { command: ' \r\n' }, /command is empty/],
    ['an empty rule', ['remember'], { rule: '', remember: 'project' }, /rule is empty/],
  ])('%s', async (_what, offered, form, message) => {
    const { harness, chord, allow } = await asked(offered);
    const error = await failure(allow(form));
    expect(error).toMatchObject({ code: 'invalid_answer', message: expect.stringMatching(message) });
    expect(chord.written).toEqual([]);
    expect(await harness.open()).toEqual(['r1']);
  });

  test('nothing of it for a denial', async () => {
    const { chord, allow } = await asked([]);
    await allow({ command: 'ls', rule: 'ls', remember: 'session' }, { action: 'deny' });
    expect(chord.written).toMatchObject([{ action: 'deny' }]);
  });

  test('a field that is there and empty, although it was not offered, says nothing', async () => {
    const { chord, allow } = await asked([]);
    await allow({ command: '', rule: ' ' });
    expect(chord.written).toEqual(allowed());
  });
});
