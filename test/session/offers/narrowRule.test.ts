import type { ConfirmDocument } from '../../../chord/session/contract';
import { narrowRule } from '../../../chord/session/offers/narrowRule';

const rule = (tool: string, args: unknown, needs_approval: string[] = []): string | null =>
  narrowRule({ tool, arguments: args, needs_approval } as unknown as ConfirmDocument);

test.each<[string, string, unknown, string[], string | null]>([
  [
    'a command',
    'shell',
    { command: ' git push origin main\n' },
    ['git push origin main'],
    'git push origin main',
  ],
  ['glob characters', 'shell', { command: 'ls *.t?t' }, ['ls *.t?t'], 'ls ?.t?t'],
  ['no other character', 'shell', { command: 'ls [ab]{1}\\*a.^$(x)|' }, [], 'ls [ab]{1}\\?a.^$(x)|'],
  ['the end of a name', 'shell', { command: 'rm -rf build*' }, [], 'rm -rf build?'],
  ['none that would also allow to remove everything', 'shell', { command: 'rm -rf *' }, [], null],
  ['none that would also allow to remove the folder above', 'shell', { command: 'rm -rf .*' }, [], null],
  ['an ending', 'shell', { command: 'rm a.* ?.o b_* .c*' }, [], 'rm a.? ?.o b_? .c?'],
  ['none for what lies in a folder', 'shell', { command: 'rm -rf /tmp/*' }, [], null],
  ['none below the root', 'shell', { command: 'rm -rf /*' }, [], null],
  ['a compound command as a whole', 'shell', { command: 'cd a && ls' }, ['ls'], 'cd a && ls'],
  ['none for a compound command with wildcards', 'shell', { command: 'cd a && ls *' }, ['ls *'], null],
  ['none that allows any short word', 'shell', { command: '**' }, [], null],
  ['none where a secret is masked', 'shell', { command: 'login --key ***' }, [], null],
  ['none with what nobody sees', 'shell', { command: 'ls \u202ea' }, [], null],
  ['none without a command', 'shell', { cmd: 'ls' }, [], null],
  ['a path', 'write', { path: 'a/b?.txt', content: 'x' }, [], 'a/b?.txt'],
  ['none for a path that Chord would cut', 'write', { path: 'a ' }, [], null],
  ['the one path of several that needs it', 'delete', { paths: ['a', 'b'] }, ['b'], 'b'],
  ['none for two paths', 'delete', { paths: ['a', 'b'] }, ['a', 'b'], null],
  ['host and port', 'web_fetch', { url: 'https://Example.org/a*?b=1' }, [], 'example.org:443'],
  ['none for what is no address', 'web_fetch', { url: 'nowhere' }, [], null],
  ['none for a tool that Chord tells apart by nothing', 'mcp_search', { query: 'x' }, [], null],
  ['none for arguments that are no JSON', 'shell', 'ls', [], null],
])('%s', (_what, tool, args, needed, pattern) => {
  expect(rule(tool, args, needed)).toBe(pattern);
});
