/** A line in two halves; between them goes the time at which it is written, in microseconds. */
export interface StampedLine {
  head: string;
  tail: string;
}

const smallest = 200;
const largest = 100_000;

/**
 * The lines of so many turns, as a working Chord writes them: from 200 bytes to 100 kB, as many small ones as large
 * ones on a logarithmic scale. Always the same ones, but for
 * the ids of requests, which each run has its own of. Every fifth has characters that are not ASCII.
 */
export function mixedEvents(turns: number, run: number): StampedLine[] {
  return Array.from({ length: turns }, () => turn)
    .flat()
    .map(([type, fill], index) => {
      // Steps of the golden ratio spread evenly, whatever the count.
      const size = smallest * (largest / smallest) ** ((index * 0.6180339887) % 1);
      const id = `request-${run}-${Math.floor(index / turn.length)}`;
      const payload = fill(Math.round(size) - overhead, id, index % 5 === 0 ? wide : narrow);
      return {
        head: `{"type":"${type}","seq":${index + 2},"payload":{"written_at":`,
        tail: `,${JSON.stringify(payload).slice(1)}}\n`,
      };
    });
}

/** A whole line, written at this time. */
export const stamped = ({ head, tail }: StampedLine, at: number): string => `${head}${at}${tail}`;

/** Bytes of a line beside the text in it, about. */
const overhead = 160;

const narrow =
  'The tests pass now; "steep.mjs" had an off-by-one error in line 12.\n\tif (left <= 0) return;\n';
const wide = 'Die Prüfung läuft – 緑茶は三分、紅茶は五分 🍵. "steep.mjs" had an error in line 12.\n';

function text(bytes: number, pattern: string): string {
  const length = Math.max(0, Math.round((bytes * pattern.length) / Buffer.byteLength(pattern)));
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

type Fill = (bytes: number, id: string, pattern: string) => Record<string, unknown>;

const main = { agent_id: '', task_id: '', agent_type: '', parent_agent_id: '' };
const worker = { agent_id: 'worker-1', task_id: '4', agent_type: 'reviewer', parent_agent_id: 'main' };

const activity: Fill = (bytes, _id, pattern) => ({
  agent_id: 'main',
  type: 'executing',
  detail: text(bytes, pattern),
});
const assistantMessage: Fill = (bytes, _id, pattern) => ({
  ...main,
  text: text(bytes, pattern),
  tool_calls: 1,
});

type Kind = [type: string, fill: Fill];

/** What a turn is made of, again and again. */
const work: Kind[] = [
  ['activity', activity],
  ['assistant_message', assistantMessage],
  ['activity', activity],
  ['assistant_message', assistantMessage],
  ['agent_notify', (bytes, _id, pattern) => ({ ...worker, kind: 'progress', message: text(bytes, pattern) })],
  [
    'todos',
    (bytes, _id, pattern) => ({
      todos: Array.from({ length: Math.ceil(Math.min(Math.max(bytes, 1), 5000) / 250) }, (_, item) => ({
        id: String(item),
        content: text(180, pattern),
        status: item === 0 ? 'in_progress' : 'pending',
        active_form: '',
      })),
    }),
  ],
  [
    'local_shell_result',
    (bytes, _id, pattern) => ({ command: 'npm test', output: text(bytes, pattern), failed: false }),
  ],
  ['info', (bytes, _id, pattern) => ({ agent_id: 'main', message: text(bytes, pattern) })],
  [
    'background_result',
    (bytes, _id, pattern) => ({
      session_id: 'bench',
      target_agent_id: '',
      message_index: 7,
      content: text(bytes, pattern),
    }),
  ],
  ['agent_done', (bytes, _id, pattern) => ({ ...worker, summary: text(bytes, pattern) })],
  ['activity', activity],
  ['assistant_message', assistantMessage],
];

/** What comes once in a turn: a person is asked, and there is something that we do not know. */
const seldom: Kind[] = [
  [
    'not_known_yet',
    (bytes, _id, pattern) => ({
      steps: Array.from({ length: Math.ceil(Math.max(bytes, 1) / 120) }, (_, step) => ({
        step,
        ok: true,
        took: 1.5,
        words: text(70, pattern),
      })),
    }),
  ],
  [
    'confirm_request',
    (bytes, id, pattern) => ({
      request_id: id,
      tool_name: 'shell',
      args_json: JSON.stringify({ command: text(bytes, pattern) }),
      needs_approval: ['npm test'],
      already_allowed: [],
      needs_approval_rules: ['*'],
      already_allowed_rules: [],
      timeout_ms: 0,
    }),
  ],
  [
    'confirm_resolved',
    (bytes, id, pattern) => ({ request_id: id, reason: 'denied', note: text(bytes, pattern) }),
  ],
];

const idle: Kind = [
  'idle',
  (bytes, _id, pattern) => ({
    last_outcome: 'completed',
    suppress_user_notification: false,
    running_jobs: 0,
    note: text(bytes, pattern),
  }),
];

/** One turn, from work to `idle`. */
const turn: Kind[] = [...Array.from({ length: 9 }, () => work).flat(), ...seldom, idle];
