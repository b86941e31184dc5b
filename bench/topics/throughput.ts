import { message, holdSession } from '../ours';
import { asBytes, asText, BareChild, type BareLine } from '../BareChild';
import type { Measurement } from '../Measurement';
import { nowUs } from '../now';
import { smallChild } from '../programs';
import { interleave } from '../rounds';
import { median } from '../statistics';
import { runTopic } from '../topic';

const rounds = 21;

/** From the first line to the last, in megabytes a second, by the clock and by the processor time of this process. */
interface Speed {
  wall: number;
  cpu: number;
}

/** Takes the time between the two lines that the child writes around its stream. */
class StopWatch {
  private begun = 0;
  private cpu = process.cpuUsage();
  private bytes = 0;
  private finished: (speed: Speed) => void = () => undefined;

  take(type: string, payload: Record<string, unknown> | undefined): void {
    if (type === 'bench_begin') {
      this.bytes = Number(payload?.bytes);
      this.cpu = process.cpuUsage();
      this.begun = nowUs();
    } else if (type === 'bench_end') {
      const took = nowUs() - this.begun;
      const { user, system } = process.cpuUsage(this.cpu);
      this.finished({ wall: this.bytes / took, cpu: this.bytes / (user + system) });
    }
  }

  async during(start: () => unknown): Promise<Speed> {
    const speed = new Promise<Speed>((resolve) => {
      this.finished = resolve;
    });
    await start();
    return await speed;
  }
}

/** A child that is read without this package. */
async function bareSide(directory: string, read: typeof asBytes) {
  const watch = new StopWatch();
  const child = new BareChild(smallChild('stream'), directory, read);
  child.onLine = ({ type, payload }: BareLine) => watch.take(type, payload);
  await child.ready;
  return {
    run: () => watch.during(() => child.write('{"type":"send","content":"go","request_id":"1"}\n')),
    stop: () => child.stop(),
  };
}

async function measure(): Promise<Measurement> {
  const directory = process.cwd();
  const ourWatch = new StopWatch();
  const session = await holdSession(smallChild('stream'), directory, 'throughput', ({ event, payload }) =>
    ourWatch.take(event, payload),
  );
  const bytes = await bareSide(directory, asBytes);
  const text = await bareSide(directory, asText);

  const results = await interleave(rounds, {
    ours: () => ourWatch.during(() => session.send(message('go', 'nothing'))),
    baseline: bytes.run,
    text: text.run,
  });
  await Promise.all([session.release(), bytes.stop(), text.stop()]);
  const ratios = results.map(({ ours, baseline }) => ours.wall / baseline.wall);
  return {
    title: 'stdout to listener',
    meaning:
      'Throughput from a child that writes mixed events of 200 bytes to 100 kB as fast as it can, to a listener of the session; compared with a child read by split on newline and JSON.parse, in the fastest of its simple ways (bytes are split, then decoded); the other one (text is decoded, then split) stands beside.',
    unit: 'MB/s',
    ours: median(results.map(({ ours }) => ours.wall)),
    baseline: median(results.map(({ baseline }) => baseline.wall)),
    result: median(ratios),
    resultUnit: 'times',
    target: { atLeast: 0.8 },
    rounds: ratios,
    more: {
      ratio_by_processor_time: median(results.map(({ ours, baseline }) => ours.cpu / baseline.cpu)),
      ratio_where_text_is_split: median(results.map(({ ours, text: other }) => ours.wall / other.wall)),
    },
  };
}

void runTopic(measure);
