import type { RequestKind } from '../../../chord/session';
import type { ProfileName } from '../../../simulator/wire/profile';
import { actionsOf } from './answers';
import type { rows } from './rows';
import type { Came } from './Scene';

/** Kinds of requests that behave differently: a question of protocol C outlives its turn and its process. */
type Column = 'confirm' | 'question' | 'durable' | 'handoff';

/** A row of the matrix. */
export type RowName = keyof typeof rows;

/** The words of one kind on one build. */
interface Words {
  grant: string;
  refuse: string;
  /** How a good answer is proved. */
  proof: string;
  /** In Chord's record: granted, refused, ended by a message, and left open to the end. */
  granted: string;
  refused: string;
  replaced: string;
  left: string[];
}

/** What a cell comes to; where the audit is not named, it holds what the calls were told, in their order. */
interface Cell extends Omit<Came, 'audit' | 'ran'> {
  audit?: string[];
}

type Expect = (words: Words) => Cell;

const columnOf = (kind: RequestKind, profile: ProfileName): Column =>
  kind === 'question' && profile === 'd3' ? 'durable' : kind;

function wordsOf(column: Column, profile: ProfileName): Words {
  const [grant, refuse] = actionsOf[column === 'durable' ? 'question' : column];
  const common = { grant, refuse };
  switch (column) {
    case 'confirm':
      return {
        ...common,
        proof: profile === 'd3' ? 'event' : 'taken',
        granted: 'allowed',
        refused: 'denied',
        replaced: 'superseded',
        left: ['cancelled'],
      };
    case 'question': {
      const silent = profile.startsWith('d1');
      return {
        ...common,
        proof: silent ? 'taken' : 'event',
        granted: 'answered',
        refused: silent ? 'cancelled' : 'declined',
        replaced: silent ? 'cancelled' : 'superseded',
        left: ['cancelled'],
      };
    }
    case 'durable':
      return { ...common, proof: 'event', granted: 'answered', refused: 'declined', replaced: '', left: [] };
    case 'handoff':
      return {
        ...common,
        proof: 'taken',
        granted: 'approved',
        refused: 'denied',
        replaced: 'superseded',
        left: [],
      };
  }
}

/** Nothing is written, and the request stays open. */
const refused =
  (...gives: string[]): Expect =>
  ({ left }) => ({ written: [], gives, ended: left, open: true });

/** The request still counts, so that the answer is carried out; `before` is what other calls were told first. */
const counts =
  (...before: string[]): Expect =>
  ({ grant, proof, granted }) => ({
    written: [grant],
    gives: [...before, `${grant} ${proof}`],
    ended: [granted],
    open: false,
  });

/** Nothing is written: the request ended before, in this word of Chord's record. */
const tooLate =
  (why: string, ended: (words: Words) => string[], ...before: string[]): Expect =>
  (words) => ({
    written: [],
    gives: [...before, `no_longer_pending: ${why}`],
    ended: ended(words),
    open: false,
  });

const left = (words: Words): string[] => words.left;

const all = (expect: Expect): Record<Column, Expect> => ({
  confirm: expect,
  question: expect,
  durable: expect,
  handoff: expect,
});

/** What its process took along is lost; a durable question is answered under the id that it had. */
const overRestart = (...before: string[]): Record<Column, Expect> => ({
  ...all(tooLate('lost', left, ...before)),
  durable: counts(...before),
});

const table: Record<RowName, Record<Column, Expect>> = {
  late: all(({ refuse, proof, refused: ended }) => ({
    written: [refuse],
    gives: [`${refuse} ${proof}`, 'already_answered'],
    ended: [ended],
    open: false,
  })),
  double: all(({ grant, proof, granted }) => ({
    written: [grant],
    gives: [`${grant} ${proof}`, 'already_answered'],
    // The one that lost is refused while the other is still on its way.
    audit: ['already_answered', `${grant} ${proof}`],
    ended: [granted],
    open: false,
  })),
  'wrong id': all(refused('unknown_request', 'no_longer_pending: lost', 'unknown_request')),
  'wrong session': all((words) => ({
    ...refused('unknown_request', 'no_longer_pending: lost')(words),
    // Both sessions have one open.
    ended: [...words.left, ...words.left],
  })),
  'wrong kind': all(refused('wrong_kind', 'wrong_kind')),
  expired: {
    confirm: tooLate('expired', () => ['expired']),
    question: tooLate('expired', () => ['no_response']),
    // No clock runs for it unless a client says that it was presented, and none for a handoff.
    durable: counts(),
    handoff: counts(),
  },
  'superseded by a message': {
    ...all(tooLate('superseded', ({ replaced }) => [replaced])),
    durable: counts(),
  },
  'ended with the turn': {
    ...all(tooLate('cancelled', () => ['cancelled'])),
    durable: counts(),
    // Its turn is over when it is asked.
    handoff: counts(),
  },
  'process restarted': overRestart(),
  'n8n restarted': overRestart(),
  'unknown outcome': overRestart('outcome_unknown'),
  'missing decision': all(refused('no_decision')),
  'not delivered': all(counts('not_delivered')),
};

/** A protocol A question takes its first option by itself, which is nobody's consent. */
const byDefault = (cell: Cell): Cell => ({
  ...cell,
  gives: cell.gives.map((said) => said.replace(': expired', ': defaulted')),
});

/** What is to come of one cell of the matrix. */
export function expectedOf(row: RowName, kind: RequestKind, profile: ProfileName): Came {
  const column = columnOf(kind, profile);
  const made = table[row][column](wordsOf(column, profile));
  const cell = column === 'question' && profile.startsWith('d1') ? byDefault(made) : made;
  return {
    ...cell,
    audit: cell.audit ?? cell.gives.map((said) => said.replace(/:.*/, '')),
    ran: cell.ended.filter((word) => word === 'allowed').length,
  };
}
