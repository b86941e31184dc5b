import { parseDocument } from 'yaml';
import {
  globMatches,
  isDisabled,
  judge,
  parsePermission,
  type Rule,
} from '../../../simulator/config/permission';

const rules = (yaml: string): Rule[] => parsePermission(parseDocument(yaml).contents);

const LAB = rules(`
"*": allow
web_fetch: deny
delete: ask
write: { "*": ask, ".chord/plans/*": allow, "secret/*": deny }
shell: { "*": ask, "echo *": allow, "git status *": allow, "rm *": deny, "make all": allow }
`);

const judged = (tool: string, args: object) => judge(LAB, tool, JSON.stringify(args));

describe('permission rules', () => {
  it.each([
    ['git tag *', 'git tag lab-1', true],
    ['git tag *', 'git tag', true],
    ['git tag *', 'git tags', false],
    ['a?c', 'abc', true],
    ['a.c', 'abc', false],
    ['*', 'two\nlines', true],
  ])('glob %j and %j: %s', (pattern, text, match) => expect(globMatches(pattern, text)).toBe(match));

  it.each([
    ['read', { path: 'a' }, 'allow'],
    ['web_fetch', { url: 'x' }, 'deny'],
    ['write', { path: 'a.txt' }, 'ask'],
    ['write', { path: '.chord/plans/a.md' }, 'allow'],
    ['write', { path: 'secret/a' }, 'deny'],
    ['shell', { command: 'echo a && git status' }, 'allow'],
    ['shell', { command: 'echo a; rm b' }, 'deny'],
    ['shell', { command: 'make all' }, 'allow'],
    ['shell', { command: 'make all; make all' }, 'allow'],
    ['shell', { command: 'make' }, 'ask'],
  ])('%s %j: %s', (tool, args, action) => expect(judged(tool, args).action).toBe(action));

  it('a question is never asked about', () => {
    expect(judge(rules('question: ask'), 'question', '{}').action).toBe('allow');
  });

  it('without any rule nothing is allowed', () => expect(judge([], 'read', '{}').action).toBe('deny'));

  it('names the parts that ask and those that do not', () => {
    expect(judged('shell', { command: 'echo a && git tag x; git push' })).toEqual({
      action: 'ask',
      needsApproval: ['git tag x', 'git push'],
      needsApprovalRules: ['*'],
      alreadyAllowed: ['echo a'],
      alreadyAllowedRules: ['echo *'],
    });
    expect(judged('delete', { paths: ['b', 'a'] })).toMatchObject({
      needsApproval: ['a', 'b'],
      needsApprovalRules: null,
    });
    expect(judged('write', { path: 'a.txt' })).toMatchObject({ needsApproval: null, alreadyAllowed: null });
  });

  it('a tool is gone only when its last rule denies all of it', () => {
    expect(isDisabled(LAB, 'web_fetch')).toBe(true);
    expect(isDisabled(LAB, 'shell')).toBe(false);
    expect(isDisabled(rules('"*": deny\nread: allow'), 'write')).toBe(true);
    expect(rules('deny')).toEqual([{ tool: '*', pattern: '*', action: 'deny' }]);
  });
});
