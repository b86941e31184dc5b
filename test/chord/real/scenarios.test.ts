import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { byAgent, FREE_ORDER, RACES } from '../../simulator/support/order';
import { GIVEN, MEASURED, recorded } from '../../simulator/support/scenarios';
import { labWith, realChord, runLab, seenIn, simulatorCommand, workFolder, type Seen } from './sideBySide';

/** How often the real Chord may run for the simulator to do the same: more than once where Chord itself races. */
const RUNS = { usual: 1, racing: 5 };

/** What is compared: the lines as they came, or each agent's own where agents run at the same time. */
const comparable = (name: string, seen: Seen): object =>
  FREE_ORDER.has(name) ? { ...seen, out: byAgent(seen.out) } : seen;

describe('the real Chord and the simulator, side by side', () => {
  const cases = [GIVEN, MEASURED].flatMap((collection) =>
    recorded(collection).map((name) => ({ name, collection })),
  );

  it.concurrent.each(cases)(
    '$name',
    async ({ name, collection }) => {
      const folder = workFolder();
      try {
        const lab = join(folder.path, 'lab');
        labWith(collection.cases, lab);
        const simulator = simulatorCommand(folder.path, join(collection.cases, 'scenarios', `${name}.json`));
        const play = async (bin: string, as: string) => {
          await runLab(lab, 'run.mjs', bin, join(folder.path, as), [name]);
          return comparable(name, seenIn(join(folder.path, as), name));
        };
        const [got, first] = await Promise.all([play(simulator, 'simulated'), play(realChord(), 'real-1')]);
        let wanted = first;
        const runs = RACES.has(name) ? RUNS.racing : RUNS.usual;
        for (let run = 2; run <= runs && !isDeepStrictEqual(got, wanted); run += 1) {
          wanted = await play(realChord(), `real-${run}`);
        }
        expect(got).toEqual(wanted);
      } finally {
        folder.remove();
      }
    },
    180_000,
  );
});
