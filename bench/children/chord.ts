import { nowUs } from '../now';
import type { ChildMode } from '../programs';
import { mixedEvents, stamped } from './events';

/**
 * Stands in for Chord where a benchmark needs lines at a known pace: says `ready`, answers `status`, and does at each
 * `send` what its first argument says.
 */

/** Turns in one run: about 54 MB of lines for `stream`, 3 s for `paced`. */
const turns = { stream: 30, paced: 27 };

/** Counts what was asked for, since no two runs may open the same requests. */
let run = 0;

const write = (line: string | Buffer): boolean => process.stdout.write(line);

const envelope = (type: string, payload: object): string => `${JSON.stringify({ type, payload })}\n`;

/** As fast as the pipe takes it. */
function stream(): void {
  const all = Buffer.from(
    mixedEvents(turns.stream, ++run)
      .map((event) => stamped(event, 0))
      .join(''),
  );
  write(envelope('bench_begin', { bytes: all.length }));
  let at = 0;
  const next = (): void => {
    while (at < all.length) {
      const part = all.subarray(at, at + pieceBytes);
      at += part.length;
      if (!write(part)) {
        process.stdout.once('drain', next);
        return;
      }
    }
    write(envelope('bench_end', {}));
  };
  next();
}

/** What `stream` gives to the pipe at a time. */
const pieceBytes = 256 * 1024;

/** One a millisecond; each line carries when it was written. */
function paced(): void {
  const events = mixedEvents(turns.paced, ++run);
  const begun = performance.now();
  let written = 0;
  const tick = (): void => {
    for (; written < events.length && written <= performance.now() - begun; written += 1) {
      const event = events[written];
      if (event) write(stamped(event, nowUs()));
    }
    if (written < events.length) setTimeout(tick, 1);
    else write(envelope('bench_end', {}));
  };
  tick();
}

/** A turn that tells when the line was read. */
function echo(readAt: number): void {
  write(envelope('activity', { agent_id: 'main', type: 'connecting', detail: '', read_at: readAt }));
  write(envelope('idle', { last_outcome: 'completed', suppress_user_notification: false, running_jobs: 0 }));
}

/** An approval of 200 kB that ends with the turn, and a result of as much. */
function large(): void {
  run += 1;
  const text = `${run} `.padEnd(200_000, 'x');
  write(envelope('activity', { agent_id: 'main', type: 'connecting', detail: '' }));
  write(
    envelope('confirm_request', {
      request_id: `r${run}`,
      tool_name: 'shell',
      args_json: JSON.stringify({ command: text }),
      timeout_ms: 0,
    }),
  );
  write(envelope('assistant_message', { agent_id: '', text, tool_calls: 0 }));
  write(envelope('idle', { last_outcome: 'completed', suppress_user_notification: false, running_jobs: 0 }));
}

const onSend: Readonly<Record<ChildMode, (readAt: number) => void>> = { stream, paced, echo, large };

const status = envelope('status_response', {
  session_id: 'bench',
  busy: false,
  phase: '',
  pending_confirm: null,
  pending_question: null,
  pending_handoff: null,
  last_error: '',
  last_outcome: '',
  current_role: 'builder',
  workdir: { path: '', worktree_id: '', generation: 1 },
  running_jobs: 0,
});

function main(mode: ChildMode): void {
  const act = onSend[mode];
  let rest = '';
  process.stdin.on('data', (chunk) => {
    const readAt = nowUs();
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type } = JSON.parse(line) as { type: string };
      if (type === 'status') write(status);
      else if (type === 'send') act(readAt);
    }
  });
  process.stdin.on('end', () => process.exit(0));
  write(envelope('ready', { session_id: 'bench' }));
}

main(process.argv[2] as ChildMode);
