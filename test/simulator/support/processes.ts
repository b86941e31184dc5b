import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from './Child';
import { sandbox, scenarioFile, type Sandbox } from './lab';
import { Normaliser, recording, type Row } from './recording';
import { replay } from './replay';

/** What the model answers in the lab's process cases. */
export const HELLO = {
  name: 'edge',
  steps: [
    { id: 'hello', when: { last_user: 'Hello.' }, times: 'any', reply: { text: 'Hello.' } },
    {
      id: 'recall',
      when: { last_user: 'What did I say first?', any: 'Hello.' },
      times: 'any',
      reply: { text: 'You said hello.' },
    },
    {
      id: 'drip',
      when: { last_user: 'Drip.' },
      times: 'any',
      reply: { text: { repeat: 'drip ', count: 200 }, chunk_chars: 5, chunk_delay_ms: 50 },
    },
  ],
};

/** How a process is started. */
export interface Options {
  args?: string[];
  directory?: string;
  env?: Record<string, string>;
}

/** A sandbox for one test, the simulators that run in it, and what their ids are called. */
export class Processes {
  private current: { box: Sandbox; recorded: Normaliser; actual: Normaliser } | undefined;
  private readonly children: Child[] = [];
  private readonly folders: string[] = [];

  get box(): Sandbox {
    return this.now.box;
  }

  open(): void {
    const box = sandbox({ CHORD_SIMULATOR_PROFILE: 'd1' });
    box.env.CHORD_SIMULATOR_SCENARIO = scenarioFile(box, HELLO);
    const actual = new Normaliser([...box.places, [box.root, '/parent']]);
    this.current = { box, recorded: new Normaliser(), actual };
  }

  close(): void {
    for (const child of this.children.splice(0)) child.kill();
    for (const folder of this.folders.splice(0)) remove(folder);
    this.current?.box.remove();
    this.current = undefined;
  }

  start({ args, directory, env }: Options = {}): Child {
    const child = new Child(this.box, args, env, directory);
    this.children.push(child);
    return child;
  }

  /** Plays one recorded process and compares everything that was seen of it. `places` are the only ones with a name then. */
  async same(
    name: string,
    options: Options & { places?: [string, string][] } = {},
    stop?: (row: Row) => boolean,
  ): Promise<Child> {
    const { recorded } = this.now;
    const actual = options.places ? new Normaliser(options.places) : this.now.actual;
    const child = this.start(options);
    const until = stop ? { until: stop } : {};
    const { expected, got } = await replay(child, recording(name), { recorded, actual }, until);
    expect(got).toEqual(expected);
    return child;
  }

  /** A folder that is not in git. */
  plainFolder(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plain-')));
    this.folders.push(folder);
    return folder;
  }

  private get now(): { box: Sandbox; recorded: Normaliser; actual: Normaliser } {
    if (!this.current) throw new Error('processes run only while a test does');
    return this.current;
  }
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

/** Gives each test of a file processes of its own. To be called at the top of the file. */
export function processes(): Processes {
  const all = new Processes();
  beforeEach(() => all.open());
  afterEach(() => all.close());
  return all;
}
