import { requestForm } from '../../../../nodes/shared/form/requestForm';
import { sampleRequests } from '../../../../nodes/ChordTrigger/samples/requests';
import type { HandoffDocument, QuestionDocument } from '../../../../chord/session/contract';

const question = sampleRequests.question_request as QuestionDocument;
const handoff = sampleRequests.handoff_request as HandoffDocument;

/** Label, type, choices and whether it must be filled in: what a person sees of a form. */
const seen = (fields: ReturnType<typeof requestForm>) =>
  fields.map(({ fieldLabel, requiredField, fieldOptions, multiselect }) =>
    [
      fieldLabel + (requiredField ? '!' : ''),
      ...(fieldOptions?.values.map(({ option }) => option) ?? []),
      ...(multiselect ? ['(several)'] : []),
    ].join('|'),
  );

describe('the ready-made form', () => {
  it('of an approval request', () => {
    expect(requestForm(sampleRequests.confirm_request!)).toEqual([
      {
        fieldLabel: 'Decision',
        fieldType: 'dropdown',
        fieldOptions: { values: [{ option: 'Allow' }, { option: 'Deny' }] },
        requiredField: true,
      },
      { fieldLabel: 'Reason', fieldType: 'textarea', requiredField: false },
    ]);
  });

  const offer = { rule: null, command: null, name: false };

  it('of an approval request that may be edited, remembered and signed', () => {
    const fields = requestForm(sampleRequests.confirm_request!, {
      rule: 'echo ?',
      command: 'echo $$ *',
      name: true,
    });
    expect(seen(fields)).toEqual([
      'Decision!|Allow|Allow for This Session|Allow for This Project|Deny',
      'Command',
      'Rule',
      'Note',
      'Reason',
      'Your Name',
    ]);
    expect(fields.map(({ defaultValue }) => defaultValue)).toEqual([
      undefined,
      'echo $$$ *',
      'echo ?',
      ...Array<undefined>(3),
    ]);
  });

  it('puts a text with < or > into a field in a way that n8n leaves as it is', () => {
    const fields = requestForm(sampleRequests.confirm_request!, { ...offer, command: 'a <b >$$' });
    expect(fields[1]).toMatchObject({ fieldLabel: 'Command', defaultValue: ['a <b >$$$'] });
  });

  it('notes on a rule only what a wildcard means', () => {
    const fields = requestForm(sampleRequests.confirm_request!, { ...offer, rule: 'ls [a]' });
    expect(seen(fields).slice(1)).toEqual(['Rule', 'Reason']);
  });

  it('asks for the name in every form', () => {
    for (const request of [question, handoff]) {
      expect(seen(requestForm(request, { ...offer, name: true })).at(-1)).toBe('Your Name');
    }
  });

  it('of a question with own words', () => {
    expect(seen(requestForm(question))).toEqual([
      'Answer|PostgreSQL|SQLite|Decline to answer',
      'Your Own Answer',
    ]);
  });

  it('says of a plan that could not be read that it could not, in words of its own', () => {
    const reason = (plan_error: string) =>
      requestForm({ ...handoff, plan_error }).find(({ fieldLabel }) => fieldLabel === 'Reason');
    expect(reason('<b>no such file</b>')?.placeholder).toBe('Note: Chord could not read its plan.');
    expect(reason('')).not.toHaveProperty('placeholder');
  });

  it('of a question with several answers and no own words', () => {
    expect(seen(requestForm({ ...question, multiple: true, allows_text: false }))).toEqual([
      'Answer!|PostgreSQL|SQLite|Decline to answer|(several)',
    ]);
  });

  const asking = (...labels: string[]) =>
    seen(
      requestForm({
        ...question,
        allows_text: false,
        options: labels.map((label, index) => ({ id: `o${index}`, label, description: '' })),
      }),
    )[0];

  it.each([
    ['R&D, 100 % (€ 5) – "ok"', 'Costs $5'],
    ['Use $HOME', "it's fine", '数据库', '👍🏽'],
  ])('labels that no channel changes stay as they are: %s', (...labels) => {
    expect(asking(...labels)).toBe(['Answer!', ...labels, 'Decline to answer'].join('|'));
  });

  it.each<[string, string[], string[]]>([
    ['a pattern of a text replacement', ['Use $HOME', 'Use $$HOME'], ['Use $HOME', 'Use $$$HOME']],
    ['each such pattern', ["$' $& $$ $$$", '$$5$'], ["$$' $$& $$$ $$$$$", '$$$5$']],
    ['markup', ['<b>', 'b'], ['<b>', 'b']],
    ['an entity', ['&lt;', '<'], ['&lt;', '<']],
    ['labels that only blanks tell apart', ['A  B', 'A B'], ['A  B', 'A B']],
    ['the same label twice', ['Yes', 'yes '], ['Yes', 'yes ']],
    ['labels that look the same', ['e\u0301', '\u00e9'], ['e\u0301', '\u00e9']],
    ['a label of several lines', ['Keep\n2. Stop', 'Go'], ['Keep ↵ 2. Stop', 'Go']],
    ['a label of ours', ['decline to answer', 'Go'], ['decline to answer', 'Go']],
    ['what nobody sees', ['Go\u200b', 'Stop'], [String.raw`Go\u{200b}`, 'Stop']],
  ])('%s: all options have numbers', (_what, labels, given) => {
    const shown = given.map((label, index) => `${index + 1}. ${label}`);
    expect(asking(...labels)).toBe(['Answer!', ...shown, 'Decline to answer'].join('|'));
  });

  it('of a plan whose agents and pools have names that a channel changes', () => {
    const agents = ['a$$b', 'ab'].map((name) => ({
      name,
      default: false,
      model_pools: [`${name}-<1>`, 'all'],
      current_model_pool: 'all',
    }));
    expect(seen(requestForm({ ...handoff, agents }))).toEqual([
      'Decision!|Approve|Deny|Cancel',
      'Agent|1. a$$$b|2. ab',
      'Model Pool|1. a$$$b-<1>|2. all|3. ab-<1>',
      'Reason',
    ]);
  });

  it('of a plan', () => {
    expect(seen(requestForm(handoff))).toEqual([
      'Decision!|Approve|Deny|Cancel',
      'Agent|builder',
      'Model Pool|default',
      'Reason',
    ]);
  });

  it('B71: of a plan that no agent can take offers no approval', () => {
    expect(seen(requestForm({ ...handoff, agents: [] }))).toEqual(['Decision!|Deny|Cancel', 'Reason']);
  });
});
