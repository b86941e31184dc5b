import { shellParts } from '../../../simulator/config/shellParts';

describe('parts of a command line, as the real Chord named them', () => {
  it.each([
    ['a && b || c; d | e & f\ng', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['echo "a; b" \'c & d\'', ['echo "a; b" \'c & d\'']],
    ['echo a\\; b', ['echo a\\; b']],
    ['git tag $(echo a)', ['git tag $(echo a)', 'echo a']],
    ['git tag `echo a`', ['git tag `echo a`', 'echo a']],
    ['echo $(git tag a) b; pwd', ['echo $(git tag a) b', 'git tag a', 'pwd']],
    ['git tag a > out.txt', ['git tag a']],
    ['git tag a 2>/dev/null &', ['git tag a']],
    ['cmd 2>&1 >out', ['cmd']],
    ['FOO=1 git tag a', ['git tag a']],
    ['for i in 1 2; do git tag $i; done', ['git tag $i']],
    ['if git tag a; then echo b; fi', ['git tag a', 'echo b']],
    ['! git tag a', ['git tag a']],
    ['time git tag a', ['git tag a']],
    ['git tag a # note; x', ['git tag a']],
    ['{ git tag a; echo b; }', ['git tag a', 'echo b']],
    ['git tag "a b" && (git push | cat)', ['git tag "a b"', 'git push', 'cat']],
  ])('%j', (line, parts) => expect(shellParts(line)).toEqual(parts));
});
