import { getRegistry } from '../../chord';
import type { Measurement } from '../Measurement';
import { nowUs } from '../now';
import { holdSession, openRequest } from '../ours';
import { smallChild } from '../programs';
import { interleave } from '../rounds';
import { median } from '../statistics';
import { runTopic } from '../topic';

const rounds = 9;
const statusesInRound = 100;

async function measure(): Promise<Measurement> {
  const directory = process.cwd();
  const program = smallChild('echo');
  const holder = await holdSession(program, directory, 'running', () => undefined);

  /** As Chord Status does it: a lease, one question, one answer. Milliseconds, and the key of the session. */
  const status = async (name: string, process: 'now' | 'never') => {
    const begun = nowUs();
    const session = await getRegistry().open(openRequest(program, directory, name, process));
    const document = await session.status({ diagnostics: false, includeModels: false });
    await session.release();
    const took = (nowUs() - begun) / 1000;
    if (!document.running) throw new Error(`Session ${name} does not run.`);
    return { took, key: session.key };
  };

  const results = await interleave(rounds, {
    ours: async () => {
      const all: number[] = [];
      for (let count = 0; count < statusesInRound; count += 1)
        all.push((await status('running', 'never')).took);
      return median(all);
    },
    baseline: async () => {
      const { took, key } = await status('started', 'now');
      await getRegistry().stop(key, { force: true });
      return took;
    },
  });
  await holder.release();
  const ratios = results.map(({ ours, baseline }) => baseline / ours);
  return {
    title: 'status of a running session',
    meaning:
      'A whole Status call on a running session; compared with the same call where a process has to be started for it. The process is a small one that starts as quickly as Chord; its end is not counted.',
    unit: 'ms',
    ours: median(results.map(({ ours }) => ours)),
    baseline: median(results.map(({ baseline }) => baseline)),
    result: median(ratios),
    resultUnit: 'times cheaper',
    target: { atLeast: 50 },
    rounds: ratios,
    more: {},
  };
}

void runTopic(measure);
