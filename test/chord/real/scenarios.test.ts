import { join } from 'node:path';
import { byAgent, FREE_ORDER } from '../../simulator/support/order';
import { GIVEN, MEASURED, recorded } from '../../simulator/support/scenarios';
import { labWith, realChord, runLab, seenIn, simulatorCommand, workFolder } from './sideBySide';

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
        const [real, simulated] = [join(folder.path, 'real'), join(folder.path, 'simulated')];
        await Promise.all([
          runLab(lab, 'run.mjs', realChord(), real, [name]),
          runLab(lab, 'run.mjs', simulator, simulated, [name]),
        ]);
        const [wanted, got] = [seenIn(real, name), seenIn(simulated, name)];
        if (FREE_ORDER.has(name)) {
          expect({ ...got, out: byAgent(got.out) }).toEqual({ ...wanted, out: byAgent(wanted.out) });
        } else {
          expect(got).toEqual(wanted);
        }
      } finally {
        folder.remove();
      }
    },
    180_000,
  );
});
