import { setTimeout as pause } from 'node:timers/promises';
import type { ChordEvent, ChordSession } from '../../chord';
import { BareChild } from '../BareChild';
import type { Measurement } from '../Measurement';
import { holdSession, message } from '../ours';
import { smallChild } from '../programs';
import { runTopic } from '../topic';

/** Results of 200 kB, and approvals of as much; each child says both at every `send`. */
const sends = 300;

/** Megabytes in use: the heap, and buffers that lie beside it. */
async function used(): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    globalThis.gc?.();
    await pause(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

/** Sends with a name, as the nodes do: what each came to is noted for a repeated run. */
async function sendAll(session: ChordSession): Promise<void> {
  for (let at = 0; at < sends; at += 1) {
    await session.send({ ...message('go', 'turn'), callId: `bench/${at}/0/0` });
  }
}

/** The same lines, read and let go of. */
async function readAll(child: BareChild): Promise<void> {
  for (let at = 0; at < sends; at += 1) {
    await new Promise<void>((resolve) => {
      child.onLine = ({ type }) => {
        if (type === 'idle') resolve();
      };
      child.write(`${JSON.stringify({ type: 'send', content: 'go', request_id: `${at}` })}\n`);
    });
  }
}

async function measure(): Promise<Measurement> {
  const directory = process.cwd();
  const program = smallChild('large');
  let asked = 0;
  const count = ({ event }: ChordEvent): void => {
    if (event === 'confirm_request') asked += 1;
  };
  const bare = new BareChild(program, directory);
  await bare.ready;
  const beforeBare = await used();
  await readAll(bare);
  const baseline = (await used()) - beforeBare;
  await bare.stop();

  const session = await holdSession(program, directory, 'kept', count);
  const before = await used();
  await sendAll(session);
  const ours = (await used()) - before;
  if (asked !== sends) throw new Error(`${asked} of ${sends} approvals were asked for.`);
  await session.release();
  return {
    title: 'kept after large work',
    meaning:
      'What a session keeps in heap and buffers after 300 messages with results of 200 kB each and 300 approvals of 200 kB each that are closed; compared with reading the same lines from a bare child process. Results and closed requests may take 16 MB a session.',
    unit: 'MB',
    ours,
    baseline,
    result: ours,
    resultUnit: 'MB',
    target: { under: 20 },
    rounds: [ours],
    more: { sent: sends, approvals: asked },
  };
}

void runTopic(measure);
