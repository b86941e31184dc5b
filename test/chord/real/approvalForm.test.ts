import type { IDataObject } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import { codeOf } from '../../nodes/support/Scene';
import { finished, useLab, type LabChord } from './LabChord';

jest.setTimeout(120_000);

const start = useLab();

/** The agent runs these one after the other, and then ends. */
const running = (...commands: string[]): Step[] => [
  ...commands.map((command) => ({ reply: { tool_calls: [{ name: 'shell', args: { command } }] } })),
  { reply: { text: 'All of it was run.' } },
];

const everything = { options: { approvalForm: ['remember', 'edit'] } };

const field = (asked: IDataObject, label: string) => {
  const { form } = asked.request as { form: { fieldLabel: string; defaultValue?: unknown }[] };
  return form.find(({ fieldLabel }) => fieldLabel === label)?.defaultValue;
};

const answer = async (chord: LabChord, asked: IDataObject, data: IDataObject) =>
  await chord.run('chordConfirm', asked, { stepResult: { data }, waitFor: 'turn' });

const commandOf = (asked: IDataObject | undefined) =>
  (asked?.request as { input: { command: string } } | undefined)?.input.command;

describe('what is remembered', () => {
  test.each<[string, string, string, string[]]>([
    [
      'glob characters',
      String.raw`printf '%s' a* [b]c? '\b*'`,
      String.raw`printf '%s' a? [b]c? '\b?'`,
      [
        String.raw`printf '%s' abc [b]c? '\b*'`,
        String.raw`printf '%s' a* bc? '\b*'`,
        String.raw`printf '%s' a* [b]c? 'b*'`,
        String.raw`printf '%s' a* [b]c? '\b*' c`,
      ],
    ],
    ['a star at the end', 'printf a*', 'printf a?', ['printf a', 'printf one']],
    [
      'none of them',
      String.raw`printf [a] a\b '$x' {c}`,
      String.raw`printf [a] a\b '$x' {c}`,
      [String.raw`printf a a\b '$x' {c}`, String.raw`printf [a] ab '$x' {c}`],
    ],
    [
      'a compound command',
      'cd . && echo a; echo b',
      'cd . && echo a; echo b',
      ['cd . && echo a; echo c', 'cd . && echo a'],
    ],
  ])('is that command and no other: %s', async (_what, command, rule, others) => {
    const chord = await start(running(command, command, ...others));
    const asked = await chord.ask('Run them.', everything);
    expect([field(asked, 'Command'), field(asked, 'Rule')]).toEqual([command, rule]);
    let { items, error } = await answer(chord, asked, {
      Decision: 'Allow for This Session',
      Command: command,
      Rule: rule,
    });
    for (const other of others) {
      expect(error).toBeUndefined();
      const next = items('Node', 1)[0]?.json;
      expect(commandOf(next)).toBe(other);
      ({ items, error } = await answer(chord, next!, { Decision: 'Allow' }));
    }
    expect(items('Node')[0]?.json).toMatchObject({ text: 'All of it was run.' });
  });

  test('stands in the project, if that was chosen', async () => {
    const chord = await start(running('git tag one', 'git tag one'));
    const asked = await chord.ask('Run them.', everything);
    const { items } = await answer(chord, asked, { Decision: 'Allow for This Project' });
    expect(items('Node')[0]?.json).toMatchObject({ text: 'All of it was run.' });
    expect(chord.file('.chord/agents/builder.yaml')).toContain('git tag one');
  });
});

describe('a command in the form', () => {
  const command = '\ngit tag "a$$b"; git tag two';

  test('that nobody touched is run as it was asked, whatever a browser makes of its breaks', async () => {
    const chord = await start(running('\ngit tag one\ngit tag two'));
    const asked = await chord.ask('Run it.', everything);
    finished(await answer(chord, asked, { Decision: 'Allow', Command: 'git tag one\r\ngit tag two' }));
    expect([chord.tagged('one'), chord.tagged('two')]).toEqual([true, true]);
  });

  test('that was changed is run instead', async () => {
    const chord = await start(running(command));
    const asked = await chord.ask('Run it.', everything);
    finished(await answer(chord, asked, { Decision: 'Allow', Command: 'git tag three' }));
    expect([chord.tagged('two'), chord.tagged('three')]).toEqual([false, true]);
  });

  test('that was not offered is refused, and the request stays open', async () => {
    const chord = await start(running(command));
    const asked = await chord.ask('Run it.');
    expect(codeOf(await answer(chord, asked, { Decision: 'Allow', Command: 'git tag three' }))).toBe(
      'invalid_answer',
    );
    expect(await chord.open()).toHaveLength(1);
    expect(chord.tagged('three')).toBe(false);
  });
});
