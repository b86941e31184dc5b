import type { DecisionAction, RequestKind } from '../../../chord/session';
import type { RecordEntry } from '../../../simulator/record';
import type { ProfileName } from '../../../simulator/wire/profile';
import { auditedOutcome, taggedArguments, type Answer, type Outcome } from './answers';
import type { Interleaving } from './Interleaving';

type Ended = Extract<RecordEntry, { kind: RequestKind }>;

/** What of the record ended a request by somebody's word. */
interface Carried {
  entry: Ended;
  at: number;
  action: DecisionAction;
}

const isEnd = (entry: RecordEntry): entry is Ended =>
  entry.kind === 'confirm' || entry.kind === 'question' || entry.kind === 'handoff';

/** The lines that answer, by which Chord ends a request. */
const answering: Readonly<Record<string, DecisionAction>> = {
  'confirm allowed': 'allow',
  'confirm denied': 'deny',
  'question answered': 'answer',
  'question declined': 'decline',
  'handoff approved': 'approve',
  'handoff denied': 'deny',
};

const grants: readonly DecisionAction[] = ['allow', 'answer', 'approve'];

interface Line {
  at: number;
  type: string;
  requestId: string;
}

/** The answers that Chord read. */
const linesRead = (record: readonly RecordEntry[]): Line[] =>
  record.flatMap((entry, at) => {
    if (entry.kind !== 'stdin') return [];
    const command = JSON.parse(entry.line) as { type: string; request_id?: string };
    const answers = ['confirm', 'question', 'handoff'].includes(command.type);
    return answers ? [{ at, type: command.type, requestId: command.request_id ?? '' }] : [];
  });

/** Whether what the record says was done is what this call asked for, as far as the kind has room for a tag. */
function isBy(entry: Ended, { tag, action }: Answer): boolean {
  if (entry.kind === 'question') return action !== 'answer' || entry.answers[0] === tag;
  if (entry.kind === 'handoff') return action !== 'deny' || entry.reason === tag;
  return action === 'allow' ? entry.arguments === taggedArguments(tag) : entry.reason === tag;
}

/** Requests of which this Chord neither tells how they ended nor complains about a late answer. */
const isSilent = (profile: ProfileName, kind: RequestKind): boolean =>
  (kind === 'confirm' && profile !== 'd3') || (kind === 'question' && profile.startsWith('d1'));

const isSame = (one: Outcome | undefined, other: Outcome | undefined): boolean => {
  const essence = (outcome: Outcome | undefined) =>
    outcome && ('verified' in outcome ? outcome.verified : outcome.refused);
  return essence(one) === essence(other);
};

/** What the record of the simulator says against what the nodes were told; empty when all is well. */
export function complaints({ chord, answers, audit }: Interleaving): string[] {
  const { record, profile } = chord;
  const lines = linesRead(record);
  const ends = record.flatMap((entry, at) => (isEnd(entry) ? [{ entry, at }] : []));
  const carried: Carried[] = ends.flatMap(({ entry, at }) => {
    // Protocol A has one word for a declined question and one that ended otherwise: what was read right before tells.
    const declined =
      entry.kind === 'question' &&
      entry.outcome === 'cancelled' &&
      lines.some((line) => line.requestId === entry.request_id && line.at < at) &&
      answers.some(
        ({ requestId, action, outcome }) =>
          requestId === entry.request_id && action === 'decline' && outcome && 'verified' in outcome,
      );
    const action = declined ? 'decline' : answering[`${entry.kind} ${entry.outcome}`];
    return action ? [{ entry, at, action }] : [];
  });
  const found: string[] = [];
  const say = (what: string, ...about: unknown[]) =>
    found.push([what, ...about.map((it) => JSON.stringify(it))].join(' '));

  for (const { entry, action } of carried) {
    const id = entry.request_id;
    if (carried.filter((other) => other.entry.request_id === id).length > 1) say('decided twice', entry);
    const asked = answers.filter(
      (answer) => answer.requestId === id && answer.kind === entry.kind && answer.action === action,
    );
    const counted = asked.filter(
      (answer) =>
        isBy(entry, answer) &&
        answer.outcome &&
        ('verified' in answer.outcome || answer.outcome.refused === 'outcome_unknown'),
    );
    if (grants.includes(action) && counted.length !== 1) {
      say(
        `granted by ${counted.length} answers`,
        entry,
        answers.filter((it) => it.requestId === id),
      );
    }
    if (!asked.some((answer) => isBy(entry, answer))) say('carried out, but nobody asked for it', entry);
  }
  for (const answer of answers) {
    const { requestId, kind, outcome } = answer;
    const own = carried.find(
      ({ entry, action }) => entry.request_id === requestId && action === answer.action,
    );
    const isOwn = own !== undefined && isBy(own.entry, answer);
    if (!outcome) say('an answer that never ends', answer);
    else if ('refused' in outcome) {
      if (outcome.refused === 'internal') say('a fault', answer);
    } else if (outcome.verified !== 'taken') {
      if (!isOwn)
        say(
          'proved, but not carried out',
          answer,
          ends.find(({ entry }) => entry.request_id === requestId),
        );
    } else if (!isOwn) {
      const line = lines.find((it) => it.requestId === requestId);
      const end = ends.find(({ entry }) => entry.request_id === requestId);
      if (!line) say('taken, but Chord never read it', answer);
      else if (!isSilent(profile, kind) || !end || end.at > line.at)
        say('taken, but not carried out', answer, end?.entry);
    }
  }
  for (const line of lines) {
    const may = answers.filter(({ requestId, kind }) => requestId === line.requestId && kind === line.type);
    if (may.length === 0) say('written, but nobody answered so', line);
  }
  for (const answer of answers) {
    const entries = audit.filter(({ by }) => by?.node === answer.tag);
    const published = entries[0] && auditedOutcome(entries[0]);
    if (entries.length !== 1 || !isSame(published, answer.outcome))
      say('the audit says otherwise', answer, entries);
  }
  return found;
}
