import { viewOf } from '../../../simulator/scenario/view';

describe('what a step can be matched on', () => {
  const view = viewOf(
    [
      { role: 'system', content: 'You are Chord.' },
      { role: 'user', content: '<env>here</env>' },
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'read', arguments: '{"path":"a"}' }] },
      { role: 'tool', content: 'text of a', toolCallId: '1' },
      { role: 'user', content: '<system-reminder>note</system-reminder>' },
    ],
    ['read'],
    'required',
    2,
  );

  it('leaves out what the runtime wrote, unless asked', () => {
    expect(view).toMatchObject({
      last_user: 'Do it.',
      last_user_raw: '<system-reminder>note</system-reminder>',
      last_tool: 'text of a',
      last_role: 'user',
      system: 'You are Chord.',
      tail: 'text of a\n----\n<system-reminder>note</system-reminder>',
    });
    expect(view.any).toContain('read {"path":"a"}');
    expect(view.any).not.toContain('You are Chord');
  });
});
