import path from 'node:path';

/** A stand-in for Chord: a command and what comes before `headless`. */
export interface Program {
  command: string;
  args: string[];
}

/** How the small child of the benchmark behaves; see `children/chord.ts`. */
export type ChildMode = 'stream' | 'paced' | 'echo' | 'large';

/** The small child, which starts about as quickly as Chord (33 to 56 ms, measured). */
export const smallChild = (mode: ChildMode): Program => ({
  command: process.execPath,
  args: [path.join(buildFolder, 'bench', 'children', 'chord.cjs'), mode],
});

/** The simulator, which the build makes. */
export const simulator = (): Program => ({
  command: process.execPath,
  args: [path.join(buildFolder, 'simulator', 'chord')],
});

/** The folder that holds this very file once it is bundled, as `build/bench/topics/….cjs`. */
const buildFolder = path.resolve(__dirname, '..', '..');
