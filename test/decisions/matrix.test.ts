import type { RequestKind } from '../../chord/session';
import type { ProfileName } from '../../simulator/wire/profile';
import { prepareProject, type Ground } from '../support/simulated/SimulatedChord';
import { folderInMemory } from '../support/temporaryFolder';
import { expectedOf, type RowName } from './support/expected';
import { rows } from './support/rows';
import { Scene } from './support/Scene';

const kinds: readonly RequestKind[] = ['confirm', 'question', 'handoff'];

const profiles: readonly ProfileName[] = ['d1', 'd1-roles', 'd2', 'd2-receipts', 'd3'];

let ground: Ground;

beforeAll(() => {
  ground = { project: folderInMemory(), state: folderInMemory() };
  prepareProject(ground.project);
});

/** What is written to Chord, what the calls are told, what the audit holds; judged by Chord's own record. */
describe.each(Object.keys(rows) as RowName[])('%s', (row) => {
  describe.each(kinds)('%s', (kind) => {
    test.each(profiles)('%s', async (profile) => {
      const scene = new Scene(profile, kind, ground);
      await scene.begin();
      await rows[row](scene);
      expect(await scene.end()).toEqual(expectedOf(row, kind, profile));
    });
  });
});
