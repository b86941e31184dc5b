import type { Outcome, ResultDocument, SessionDocument, TurnDocument, UsageDocument } from '../contract';
import { plainWording, renderTexts } from '../text/renderTexts';

/** `3 tool calls`, `1 tool call`. */
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `850 ms`, `12 s`, `3 min 20 s`. */
function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The compact summary of a finished turn, e.g. `12 s, 3 tool calls`. Empty when there was no measurable work. */
function workDone(turn: TurnDocument): string {
  const { main, subagents } = turn.tool_calls;
  const parts = [
    main > 0 && counted(main, 'tool call'),
    subagents > 0 && `${counted(subagents, 'tool call')} of SubAgents`,
    turn.retries > 0 && counted(turn.retries, 'retry').replace('retrys', 'retries'),
    (turn.running_jobs ?? 0) > 0 && `${counted(turn.running_jobs ?? 0, 'background job')} still running`,
  ].filter((part) => part !== false);
  const measurable = parts.length > 0 || turn.messages.length > 0;
  return measurable ? [duration(turn.duration_ms), ...parts].join(', ') : '';
}

const openings: Readonly<Record<Outcome, string>> = {
  completed: 'Chord has finished',
  cancelled: 'The work was cancelled',
  failed: 'Chord has failed',
  handled: 'Chord has carried out the command',
  sent: 'The message was sent',
  queued: 'The message joined the running work',
  skipped: 'Nothing was sent',
};

/** What a result is made of. */
export interface ResultParts {
  outcome: Outcome;
  session: SessionDocument;
  text?: string;
  turn?: TurnDocument | null;
  usage?: UsageDocument | null;
  reason?: string;
  dismissed?: string[];
  shared?: boolean;
}

/** A result with its texts for people. */
export function resultDocument(parts: ResultParts): ResultDocument {
  const { outcome, session, text = '', turn = null, usage = null, reason, dismissed, shared } = parts;
  const opening = openings[outcome] + (reason ? ` (${reason})` : '');
  const work = turn ? workDone(turn) : '';
  const said = [text || `${opening}.`, work && `(${work})`].filter(Boolean).join('\n\n');
  return {
    outcome,
    ...renderTexts(() => plainWording(text === '' ? `${opening}.` : `${opening}: ${text}`, said)),
    text,
    session,
    turn,
    usage,
    ...(reason !== undefined && { reason }),
    ...(dismissed !== undefined && dismissed.length > 0 && { dismissed }),
    ...(shared === true && { shared }),
  };
}
