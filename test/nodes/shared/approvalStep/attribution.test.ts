import { readAttribution } from '../../../../nodes/shared/approvalStep/attribution';

const respondedAt = '2030-01-01T10:00:00.000Z';

test('Slack with Capture Responder, as n8n 2.x gives it', () => {
  const responder = { id: 'U1', name: 'ann', username: 'ann.k', source: 'slack', email: 'ann@example.com' };
  expect(readAttribution({ data: { approved: true, responder, respondedAt, channel: 'C1' } })).toEqual({
    responder: { id: 'U1', name: 'ann', channel: 'slack', claimed: false },
    responded_at: respondedAt,
  });
});

test('approval in a Telegram chat, also of a person who shows no name', () => {
  const of = (responder: object) => readAttribution({ data: { approved: true, responder } }).responder;
  expect(of({ id: '42', username: 'ann', name: 'Ann K', source: 'telegram' })).toEqual({
    id: '42',
    name: 'Ann K',
    channel: 'telegram',
    claimed: false,
  });
  expect(of({ id: '42', username: 'ann', source: 'telegram' })).toMatchObject({ name: 'ann' });
  expect(of({ id: 42, source: 'telegram' })).toMatchObject({ id: '42', name: '' });
});

test.each([[{ data: { 'Your Name': ' Ann ' } }], [{ 'Your Name': 'Ann' }]])(
  'a name that was typed into a form is marked as claimed: %j',
  (step) => {
    expect(readAttribution(step).responder).toEqual({ id: '', name: 'Ann', channel: 'form', claimed: true });
  },
);

test('whom n8n saw goes before what somebody typed', () => {
  const responder = { id: 'U1', name: 'ann', source: 'slack' };
  expect(readAttribution({ data: { responder, 'Your Name': 'The Boss' } }).responder).toMatchObject({
    id: 'U1',
    claimed: false,
  });
});

test.each([
  undefined,
  null,
  'Allow',
  true,
  {},
  { data: { approved: true } },
  { data: { responder: 'Ann' } },
  { data: { responder: ['U1'] } },
  { data: { responder: { name: 'no id' } } },
  { data: { responder: { id: '' } } },
  { data: { responder: { id: { evil: 1 } } } },
  { responder: { id: 'U1', source: 'slack' } },
  { data: { 'Your Name': '  ' } },
  { data: { 'Your Name': ['Ann'] } },
  { data: { 'Your Name': { name: 'Ann' } } },
])('nobody is named by %j', (step) => {
  expect(readAttribution(step).responder).toBeNull();
});

test.each([
  [{ data: { respondedAt } }, respondedAt],
  [{ data: { respondedAt: '2030-01-01T12:00:00+02:00' } }, respondedAt],
  [{ submittedAt: respondedAt }, respondedAt],
  [{ data: { respondedAt: 'soon' } }, null],
  [{ data: { respondedAt: 5 } }, null],
  [{ data: { approved: true } }, null],
])('%j was answered at %s', (step, at) => {
  expect(readAttribution(step).responded_at).toBe(at);
});

test('nothing in a name is read as markup', () => {
  const name = '<img src=x>\u202e';
  const shown = '\\u{3c}img src=x>\\u{202e}';
  const responder = { id: 'U1', name, source: 'slack' };
  expect(readAttribution({ data: { responder } }).responder).toMatchObject({ id: 'U1', name: shown });
  expect(readAttribution({ data: { 'Your Name': name } }).responder).toMatchObject({ name: shown });
});

test('a name of any length does not fill the audit', () => {
  const { responder } = readAttribution({ data: { 'Your Name': 'x'.repeat(100_000) } });
  expect(responder?.name).toHaveLength(200);
});
