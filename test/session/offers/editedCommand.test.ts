import { editableCommand, withCommand } from '../../../chord/session/offers/editedCommand';

test.each<[string, unknown, string | null]>([
  ['a command', '{"description":"x","command":"ls"}', 'ls'],
  [
    'with breaks, tabs and signs',
    '{"command":"\\n\\tprintf \\"a\\\\n\\" > b\\r\\n"}',
    '\n\tprintf "a\\n" > b\r\n',
  ],
  ['by the name as Chord reads it', '{"Command":"ls"}', 'ls'],
  ['no command', '{"path":"x"}', null],
  ['one that lies deeper', '{"a":{"command":"ls"},"b":[{"command":"x"}]}', null],
  ['one that looks like it in a text', '{"a":"\\"command\\":\\"x\\""}', null],
  ['two commands', '{"command":"ls","COMMAND":"rm"}', null],
  ['a command that is no text', '{"command":["ls"]}', null],
  ['an empty command', '{"command":" "}', null],
  ['what a form would not show: a control character', '{"command":"a\\u0000b"}', null],
  ['a carriage return within a line', '{"command":"a\\rb"}', null],
  ['a character that turns what follows', '{"command":"a\u202eb"}', null],
  ['a blank that is none', '{"command":"a\u00a0b"}', null],
  ['but an emoji of several', '{"command":"echo 👩‍💻"}', 'echo 👩‍💻'],
  ['half a character', '{"command":"a\\ud800"}', null],
  ['no JSON', 'ls', null],
  ['no object', '["command","ls"]', null],
  ['nothing', undefined, null],
])('%s', (_what, argsJson, command) => {
  expect(editableCommand(argsJson)).toBe(command);
});

test('all but the command stays as Chord wrote it', () => {
  const args = '{ "n": 12345678901234567890, "command" : "ls \\"a\\"", "t":1.0, "nested":{"command":"x"} }';
  expect(withCommand(args, 'rm "$x"\n')).toBe(
    '{ "n": 12345678901234567890, "command" : "rm \\"$x\\"\\n", "t":1.0, "nested":{"command":"x"} }',
  );
});
