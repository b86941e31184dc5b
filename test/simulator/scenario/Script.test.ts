import { matches, Script } from '../../../simulator/scenario/Script';
import type { Condition } from '../../../simulator/scenario/scenario';
import { viewOf } from '../../../simulator/scenario/view';

describe('conditions of a scenario', () => {
  it.each([
    ['ell', 'hello', true],
    ['x', 'hello', false],
    [null, undefined, true],
    [null, '', true],
    [null, 'a', false],
    [['he', 'lo'], 'hello', true],
    [['he', 'x'], 'hello', false],
    [{ re: '^H', flags: 'i' }, 'hello', true],
    [{ equals: 'hello' }, 'hello', true],
    [{ equals: 'hell' }, 'hello', false],
    [{ not: 'x' }, 'hello', true],
    [{ any_of: ['x', 'he'] }, 'hello', true],
    ['', undefined, true],
  ] as [Condition, unknown, boolean][])('%j holds for %j: %s', (condition, text, holds) =>
    expect(matches(condition, text)).toBe(holds),
  );

  it('that make no sense are an error', () => {
    expect(() => matches({} as Condition, 'a')).toThrow('unusable condition');
    const script = new Script({ name: 'x', steps: [{ when: { nonsense: 'a' }, reply: {} }] });
    expect(() => script.answer(viewOf([], [], '', 1))).toThrow('unknown "when" key');
  });
});

describe('a script', () => {
  const reply = (text: string) => ({ text });
  const next = (script: Script) => {
    const { text, status } = script.answer(
      viewOf([{ role: 'user', content: 'a' }], ['read'], '', script.next()),
    );
    return text ?? status;
  };

  it('uses a step once, as often as it says, or always', () => {
    const script = new Script({
      name: 'x',
      steps: [
        { reply: reply('one') },
        { times: 2, reply: reply('two') },
        { times: 'any', reply: reply('more') },
      ],
    });
    expect([1, 2, 3, 4, 5].map(() => next(script))).toEqual(['one', 'two', 'two', 'more', 'more']);
  });

  it('refuses what no step is left for, as a request that no retry helps', () => {
    const script = new Script({ name: 'x', steps: [{ when: { no_tool: 'read' }, reply: reply('one') }] });
    expect(next(script)).toBe(400);
    const own = new Script({ name: 'x', on_unmatched: reply('else'), steps: [] });
    expect(next(own)).toBe('else');
  });

  it('in order lets only the next step match', () => {
    const steps = [
      { when: { last_user: 'b' }, reply: reply('b') },
      { when: { last_user: 'a' }, reply: reply('a') },
    ];
    expect(next(new Script({ name: 'x', steps }))).toBe('a');
    expect(next(new Script({ name: 'x', ordered: true, steps }))).toBe(400);
  });
});
