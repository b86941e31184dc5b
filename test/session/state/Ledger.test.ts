import {
  closedEntry,
  closedKept,
  Ledger,
  unattributed,
  type LedgerEntry,
} from '../../../chord/session/state/Ledger';

const entry = (id: string): LedgerEntry => ({
  request: {
    kind: 'confirm',
    id,
    tool: 'shell',
    subject: '',
    arguments: {},
    input: {},
    asked_because: [],
    needs_approval: [],
    expires_at: null,
    on_expiry: 'none',
  },
  state: 'open',
  payload: {},
  agentId: '',
  taskId: '',
  openedAt: 0,
  openedAtStep: 0,
  toldAtStep: 0,
  closedAt: null,
  closedBecause: null,
  action: null,
  attribution: unattributed,
  offered: { rule: null, command: null, name: false },
  protocol: null,
  version: 0,
  bindingId: '',
});

const closed = (ledger: Ledger, id: string): Ledger => ledger.with(closedEntry(entry(id), 'ended', 1));

/** A ledger in which so many more requests were closed. */
function afterMany(ledger: Ledger, count: number): Ledger {
  let after = ledger;
  for (let at = 0; at < count; at += 1) after = closed(after, `r${at}`);
  return after;
}

const ids = (entries: LedgerEntry[]): string[] => entries.map(({ request }) => request.id);

test('every open request is kept, and at least the last 4,500 closed ones', () => {
  const ledger = afterMany(Ledger.empty.with(entry('open')), 17 * closedKept);
  expect(ids(ledger.open())).toEqual(['open']);
  expect(ledger.get(`r${17 * closedKept - 1}`)).toBeDefined();
  expect(ledger.get(`r${2 * closedKept}`)).toBeDefined();
  expect(ledger.get('r0')).toBeUndefined();
  expect(ledger.hasForgotten).toBe(true);
  expect(afterMany(Ledger.empty, 16 * closedKept).hasForgotten).toBe(false);
});

test('the one that closed last is forgotten last, whenever it opened', () => {
  const ledger = closed(afterMany(Ledger.empty.with(entry('early')), 16 * closedKept), 'early');
  expect(ledger.get('early')?.state).toBe('ended');
  expect(ledger.get('r0')).toBeUndefined();
});

test('details are dropped of a closed request only; how it ended stays', () => {
  const long = 'x'.repeat(1000);
  const request = { ...entry('r1').request, subject: long } as LedgerEntry['request'];
  const full: LedgerEntry = { ...entry('r1'), payload: { args_json: long }, request };
  const ledger = Ledger.empty.with(full);
  expect(ledger.withoutDetails('r1').get('r1')).toBe(full);
  const slim = ledger
    .with(closedEntry(full, 'expired', 5))
    .withoutDetails('r1')
    .get('r1');
  expect(slim).toMatchObject({
    state: 'expired',
    closedAt: 5,
    detailsDropped: true,
    payload: {},
    request: { kind: 'confirm', id: 'r1', tool: 'shell', subject: '', arguments: null, needs_approval: [] },
  });
});

test('one that was closed long ago counts by what became of it last', () => {
  const unknown = { ...entry('q'), state: 'unknown' as const };
  const before = afterMany(Ledger.empty.with(unknown), closedKept);
  expect(ids(before.unknown())).toEqual(['q']);
  const open = before.with(entry('q'));
  expect(ids(open.open())).toEqual(['q']);
  expect(open.unknown()).toEqual([]);
  expect(closed(open, 'q').get('q')?.state).toBe('ended');
  expect(closed(open, 'q').unknown()).toEqual([]);
});

test('a changed ledger leaves the former one as it was', () => {
  const before = Ledger.empty.with(entry('r1'));
  closed(before, 'r1');
  before.with(entry('r2'));
  expect(ids(before.open())).toEqual(['r1']);
});

test('requests of one kind can be asked for', () => {
  const ledger = Ledger.empty.with(entry('r1'));
  expect(ids(ledger.open('confirm'))).toEqual(['r1']);
  expect(ledger.open('question')).toEqual([]);
});

test('a default that Chord took counts as expired', () => {
  expect(closedEntry(entry('r1'), 'defaulted', 1)).toMatchObject({
    state: 'expired',
    closedBecause: 'defaulted',
  });
});
