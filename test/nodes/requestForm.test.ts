import { requestForm } from '../../nodes/shared/requestForm';
import { sampleRequests } from '../../nodes/ChordTrigger/samples/requests';
import type { HandoffDocument, QuestionDocument } from '../../chord/session/contract';

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

  it('of a question with own words', () => {
    expect(seen(requestForm(question))).toEqual([
      'Answer|PostgreSQL|SQLite|Decline to answer',
      'Your Own Answer',
    ]);
  });

  it('of a question with several answers and no own words', () => {
    expect(seen(requestForm({ ...question, multiple: true, allows_text: false }))).toEqual([
      'Answer!|PostgreSQL|SQLite|Decline to answer|(several)',
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
