import { SecretMask } from '../../../../chord/process';
import type { ConfirmDecision } from '../../../../chord/session/contract';
import { UnconfirmedInputs } from '../../../../chord/session/input/UnconfirmedInputs';
import { failure } from '../../support/promises';
import { Harness } from '../../support/Harness';

/** As they come out of the transport. */
const masked = JSON.stringify({ command: 'curl -u *** https://host' });

async function asking(secrets: string[], args_json = masked) {
  const harness = await Harness.start('d1', { secrets: new SecretMask(secrets) });
  harness.chord.work();
  harness.chord.confirmRequest('r1', { args_json });
  return harness;
}

const edited = (command: string): Partial<ConfirmDecision> => ({
  editedArguments: JSON.stringify({ command }),
});

test('an edited command that holds the mask is refused, and the request stays open', async () => {
  const harness = await asking(['sesame']);
  expect(await failure(harness.confirm('r1', edited('curl -v -u *** https://host')))).toMatchObject({
    code: 'invalid_answer',
    message: 'The edited arguments would contain *** in place of a secret that is hidden here.',
  });
  expect(harness.chord.written).toEqual([]);
  await harness.confirm('r1', edited('curl https://host'));
  expect(harness.chord.written).toHaveLength(1);
});

test('a masked command may be allowed as it is', async () => {
  const harness = await asking(['sesame']);
  await harness.confirm('r1');
  expect(harness.chord.written).toEqual([{ type: 'confirm', request_id: 'r1', action: 'allow' }]);
});

test.each([
  ['nothing is secret', [], masked],
  ['nothing was masked', ['sesame'], '{"command":"ls"}'],
])('stars of one’s own are allowed where %s', async (_, secrets, args) => {
  const harness = await asking(secrets, args);
  await harness.confirm('r1', edited('echo ***'));
  expect(harness.chord.written).toHaveLength(1);
});

test('a rule with the mask is refused: it would allow anything there', async () => {
  const harness = await asking(['sesame']);
  const rule = { pattern: 'curl -u *** https://host', scope: 'session' } as const;
  expect(await failure(harness.confirm('r1', { rule }))).toMatchObject({
    code: 'invalid_answer',
    message: expect.stringContaining('The pattern of the rule') as string,
  });
  expect(harness.chord.written).toEqual([]);
});

test('an option that is answered by its label is refused where a secret stands in it', async () => {
  const harness = await Harness.start('d1', { secrets: new SecretMask(['sesame']) });
  harness.chord.work();
  harness.chord.questionRequest('q1', { options: ['Use ***', 'Stop'], option_details: [] });
  expect(await failure(harness.answer('q1', { answers: ['1'] }))).toMatchObject({ code: 'invalid_answer' });
  expect(harness.chord.written).toEqual([]);
  await harness.answer('q1', { answers: ['Stop'] });
  expect(harness.chord.written).toHaveLength(1);
});

test('what is said of a message whose outcome is unknown holds no secret', () => {
  const inputs = new UnconfirmedInputs({
    now: () => '',
    masked: (text) => text.replaceAll('sesame', '***'),
  });
  inputs.add('m1', `${'x'.repeat(76)}sesame and more`, () => undefined);
  inputs.exit();
  // A cut shows that something follows.
  expect(inputs.unknownNames).toEqual([`the message "${'x'.repeat(76)}***…"`]);
});
