import { commandSchema, encodeCommand, maximumLineBytes, type Command } from '../../chord/protocol/commands';

test.each<[Command, string]>([
  [{ type: 'status' }, '{"type":"status"}\n'],
  [
    { type: 'send', content: 'a\nb "c" 审\u2028', request_id: 'i1' },
    '{"type":"send","content":"a\\nb \\"c\\" 审\u2028","request_id":"i1"}\n',
  ],
  [{ type: 'cancel' }, '{"type":"cancel"}\n'],
])('%j is one line', (command, line) => {
  expect(encodeCommand(command)).toBe(line);
  expect(encodeCommand(command).match(/\n/g)).toHaveLength(1);
});

test.each<[string, object]>([
  ['subscribe, which would shut out what we do not know', { type: 'subscribe', events: ['idle'] }],
  ['a message without an id', { type: 'send', content: 'x' }],
  ['K2: another word than allow and deny', { type: 'confirm', request_id: 'r1', action: 'allow_once' }],
  ['K3: a handoff without id', { type: 'handoff', request_id: '', action: 'accept', agent: 'a' }],
  ['K3: a handoff without action', { type: 'handoff', request_id: 'h1', action: '' }],
  [
    'a decline that protocol A would read as an answer',
    { type: 'question', request_id: 'q1', answers: [], reason: 'declined' },
  ],
  [
    'a guard that would make a retry differ',
    { type: 'question', action: 'answer', operation_id: 'o', request_id: 'q1', version: 2 },
  ],
  ['over 32 question ids', { type: 'status', question_ids: Array.from({ length: 33 }, (_, at) => `q${at}`) }],
  ['a field that is not in the protocol', { type: 'cancel', reason: 'x' }],
])('is never written: %s', (_, command) => {
  expect(commandSchema.safeParse(command).success).toBe(false);
  expect(() => encodeCommand(command as Command)).toThrow();
});

test('the limit is that of Chord', () => {
  expect(maximumLineBytes).toBe(1024 * 1024);
});
