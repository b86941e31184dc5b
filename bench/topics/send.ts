import { getRegistry, type ChordSession } from '../../chord';
import { BareChild } from '../BareChild';
import type { Measurement } from '../Measurement';
import { nowUs } from '../now';
import { holdSession, message, openRequest } from '../ours';
import { smallChild } from '../programs';
import { interleave } from '../rounds';
import { median, medianPercentile } from '../statistics';
import { runTopic } from '../topic';

const rounds = 7;
const sendsInRound = 100;

const text = 'Run the tests of this project, mend what fails, and tell me what it was.';

/** Sends again and again; how long each line took into the child, in milliseconds. */
async function delays(send: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < sendsInRound; count += 1) {
    const begun = nowUs();
    all.push(((await send()) - begun) / 1000);
  }
  return all;
}

async function measure(): Promise<Measurement> {
  const directory = process.cwd();
  const program = smallChild('echo');
  let readAt = 0;
  const holder: ChordSession = await holdSession(program, directory, 'send', ({ payload }) => {
    if (typeof payload.read_at === 'number') readAt = payload.read_at;
  });
  const bare = new BareChild(program, directory);
  await bare.ready;

  /** As the node does it: a lease, the message, its turn. */
  const ourSend = async (): Promise<number> => {
    const session = await getRegistry().open(openRequest(program, directory, 'send', 'on_demand'));
    await session.send(message(text, 'turn'));
    await session.release();
    return readAt;
  };
  const bareSend = (): Promise<number> =>
    new Promise((resolve) => {
      let read = 0;
      bare.onLine = ({ type, payload }) => {
        if (typeof payload?.read_at === 'number') read = payload.read_at;
        else if (type === 'idle') resolve(read);
      };
      bare.write(`${JSON.stringify({ type: 'send', content: text, request_id: '1' })}\n`);
    });

  const results = await interleave(rounds, { ours: () => delays(ourSend), baseline: () => delays(bareSend) });
  await Promise.all([holder.release(), bare.stop()]);
  const differences = results.map(({ ours, baseline }) => median(ours) - median(baseline));
  return {
    title: 'send to child',
    meaning:
      'From the call, as Chord Send makes it (lease and message), until the line is read by the child; compared with a bare write to a pipe. Medians of each round; the 99th percentiles stand beside.',
    unit: 'ms',
    ours: medianPercentile(results, 'ours', 50),
    baseline: medianPercentile(results, 'baseline', 50),
    result: median(differences),
    resultUnit: 'ms more',
    target: { under: 5 },
    rounds: differences,
    more: {
      our_p99_ms: medianPercentile(results, 'ours', 99),
      baseline_p99_ms: medianPercentile(results, 'baseline', 99),
    },
  };
}

void runTopic(measure);
