import {
  closedEntry,
  closedKept,
  emptyLedger,
  openEntries,
  withEntry,
  type Ledger,
  type LedgerEntry,
} from '../../chord/session/Ledger';

const entry = (id: string): LedgerEntry => ({
  request: {
    kind: 'confirm',
    id,
    tool: 'shell',
    arguments: {},
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
  protocol: null,
  version: 0,
  bindingId: '',
});

test('every open request is kept, and the last closed ones', () => {
  let ledger: Ledger = withEntry(emptyLedger, entry('open'));
  for (let at = 0; at < closedKept + 20; at += 1) {
    ledger = withEntry(ledger, closedEntry(entry(`r${at}`), 'ended', at));
  }
  expect(openEntries(ledger).map(({ request }) => request.id)).toEqual(['open']);
  expect(ledger.size).toBe(closedKept + 1);
  expect(ledger.has('r19')).toBe(false);
  expect(ledger.has('r20')).toBe(true);
});

test('the one that closed last is forgotten last, whenever it opened', () => {
  let ledger: Ledger = withEntry(emptyLedger, entry('early'));
  for (let at = 0; at < closedKept; at += 1) {
    ledger = withEntry(ledger, closedEntry(entry(`r${at}`), 'ended', at));
  }
  ledger = withEntry(ledger, closedEntry(entry('early'), 'ended', 9));
  expect(ledger.has('early')).toBe(true);
  expect(ledger.has('r0')).toBe(false);
});

test('a default that Chord took counts as expired', () => {
  expect(closedEntry(entry('r1'), 'defaulted', 1)).toMatchObject({
    state: 'expired',
    closedBecause: 'defaulted',
  });
});
