import * as fc from 'fast-check';
import type { RequestKind } from '../../chord/session';
import type { ProfileName } from '../../simulator/wire/profile';
import { prepareProject, type Ground } from '../support/simulated/SimulatedChord';
import { folderInMemory } from '../support/temporaryFolder';
import { giveUpSeconds, Interleaving, type Step, type TimedStep } from './support/Interleaving';
import { complaints } from './support/judge';

/** For each of the five builds of Chord. */
const runs = 2000;

const kind = fc.constantFrom<RequestKind>('confirm', 'question', 'handoff');
const pipe = fc.constantFrom<'stdin' | 'stdout'>('stdin', 'stdout');
const at = fc.nat({ max: 5 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), kind }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('answer' as const), at, grants: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('answer wrongly' as const), at, kind }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('message' as const), dismiss: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'status' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('time' as const),
      seconds: fc.constantFrom(1, giveUpSeconds, 30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('hold' as const, 'let one' as const, 'release' as const),
      pipe,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('break' as const, 'mend' as const) }) },
);

const steps = fc.array(
  fc.tuple(step, fc.boolean()).map(([what, rests]): TimedStep => ({ ...what, rests })),
  { minLength: 3, maxLength: 9 },
);

/** What most runs begin with: a request that has been seen. */
const opening = kind.map((asked): TimedStep => ({ do: 'ask', kind: asked, rests: true }));

let ground: Ground;

beforeAll(() => {
  ground = { project: folderInMemory(), state: folderInMemory() };
  prepareProject(ground.project);
});

/** When one fails, fast-check prints the seed and the shortest run that fails. */
test.each<ProfileName>(['d1', 'd1-roles', 'd2', 'd2-receipts', 'd3'])(
  '%s: everything granted was asked for by one answer, and each answer is told what happened',
  async (profile) => {
    await fc.assert(
      fc.asyncProperty(opening, steps, async (first, others) => {
        const run = new Interleaving(profile, ground);
        await run.play([first, ...others]);
        expect(complaints(run)).toEqual([]);
      }),
      { numRuns: runs },
    );
  },
  300_000,
);
