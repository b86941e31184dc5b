import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LAB } from '../../simulator/support/lab';
import { byAgent, FREE_ORDER } from '../../simulator/support/order';
import { realChord, runLab, seenIn, simulatorCommand, workFolder } from './sideBySide';

const names = readdirSync(join(LAB, 'scenarios')).map((file) => file.replace('.json', ''));

describe('the real Chord and the simulator, side by side', () => {
  it.concurrent.each(names)(
    '%s',
    async (name) => {
      const folder = workFolder();
      try {
        const simulator = simulatorCommand(folder.path, join(LAB, 'scenarios', `${name}.json`));
        const [real, simulated] = [join(folder.path, 'real'), join(folder.path, 'simulated')];
        await Promise.all([
          runLab('run.mjs', realChord(), real, [name]),
          runLab('run.mjs', simulator, simulated, [name]),
        ]);
        const [wanted, got] = [seenIn(real, name), seenIn(simulated, name)];
        expect(wanted.failures).toEqual([]);
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
