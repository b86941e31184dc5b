import {
  isBlank,
  needsTerminal,
  reachesModel,
  slashCommand,
  startsLoop,
} from '../../../../chord/session/operations/send/slash';

// What Go's unicode.IsSpace takes, and what only JavaScript does.
const goBlanks = [
  '\t',
  '\n',
  '\v',
  '\f',
  '\r',
  ' ',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2000',
  '\u200a',
  '\u2028',
  '\u2029',
  '\u202f',
  '\u205f',
  '\u3000',
];

test.each(goBlanks.map((blank) => [JSON.stringify(blank), blank]))('a command behind %s', (_, blank) => {
  expect(slashCommand(`${blank}/new`)).toEqual({ name: '/new', argument: '' });
});

test.each([['\ufeff/new'], ['\u200b/new'], ['a /new'], ['new'], ['']])('%j is text', (text) => {
  expect(slashCommand(text)).toBeNull();
});

test.each([
  ['/resume  20300101 ', '/resume', '20300101'],
  ['/Models beta', '/models', 'beta'],
  ['/loop\non Tidy up', '/loop', 'on Tidy up'],
])('%j', (text, name, argument) => {
  expect(slashCommand(text)).toEqual({ name, argument });
});

test.each([
  ['/loop on Tidy', true],
  ['/loop on', true],
  ['/loop off', false],
  ['/loop only', false],
  ['/loop on-line', false],
  ['/new', false],
])('%s starts a loop: %s', (text, starts) => {
  expect(startsLoop(slashCommand(text)!)).toBe(starts);
});

test.each([
  ['/export', true],
  ['/export x.md', true],
  ['/resume', true],
  ['/resume S1', false],
  ['/mcp', true],
  ['/mcp status', false],
  ['/new', false],
])('%s needs the terminal: %s', (text, needs) => {
  expect(needsTerminal(slashCommand(text)!)).toBe(needs);
});

test.each([
  ['/models', false],
  ['/yolo on', false],
  ['/help', true],
  ['/role x', true],
])('%s reaches the model on D1: %s', (text, reaches) => {
  expect(reachesModel(slashCommand(text)!)).toBe(reaches);
});

test.each([
  ['', true],
  [' \u0085\ufeff\n', true],
  ['x', false],
  [' . ', false],
])('%j is blank: %s', (text, blank) => {
  expect(isBlank(text)).toBe(blank);
});
