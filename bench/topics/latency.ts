import { asText, BareChild } from '../BareChild';
import type { Measurement } from '../Measurement';
import { nowUs } from '../now';
import { holdSession, message } from '../ours';
import { smallChild } from '../programs';
import { interleave } from '../rounds';
import { median, medianPercentile, percentile } from '../statistics';
import { runTopic } from '../topic';

const rounds = 5;

/** Gathers how long each line was on its way, in milliseconds. */
class Delays {
  private all: number[] = [];
  private finished: (delays: number[]) => void = () => undefined;

  take(type: string, payload: Record<string, unknown> | undefined): void {
    if (typeof payload?.written_at === 'number') this.all.push((nowUs() - payload.written_at) / 1000);
    else if (type === 'bench_end') this.finished(this.all);
  }

  async during(start: () => unknown): Promise<number[]> {
    this.all = [];
    const delays = new Promise<number[]>((resolve) => {
      this.finished = resolve;
    });
    await start();
    return await delays;
  }
}

async function measure(): Promise<Measurement> {
  const directory = process.cwd();
  const ourDelays = new Delays();
  const session = await holdSession(smallChild('paced'), directory, 'latency', ({ event, payload }) =>
    ourDelays.take(event, payload),
  );
  const bareDelays = new Delays();
  const bare = new BareChild(smallChild('paced'), directory, asText);
  bare.onLine = ({ type, payload }) => bareDelays.take(type, payload);
  await bare.ready;

  const results = await interleave(rounds, {
    ours: () => ourDelays.during(() => session.send(message('go', 'nothing'))),
    baseline: () => bareDelays.during(() => bare.write('{"type":"send","content":"go","request_id":"1"}\n')),
  });
  await Promise.all([session.release(), bare.stop()]);
  const differences = results.map(({ ours, baseline }) => percentile(ours, 99) - percentile(baseline, 99));
  return {
    title: 'line to listener, p99',
    meaning:
      'At 1,000 mixed events a second, the 99th percentile of the time from the line being written by the child to the listener being called; compared with the same child read by split on newline and JSON.parse, in the steadiest of its simple ways.',
    unit: 'ms',
    ours: medianPercentile(results, 'ours', 99),
    baseline: medianPercentile(results, 'baseline', 99),
    result: median(differences),
    resultUnit: 'ms more',
    target: { under: 2 },
    rounds: differences,
    more: {
      our_median_ms: medianPercentile(results, 'ours', 50),
      baseline_median_ms: medianPercentile(results, 'baseline', 50),
    },
  };
}

void runTopic(measure);
