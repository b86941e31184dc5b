import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Start } from '../../../simulator/disk/Sessions';
import type { Scenario } from '../../../simulator/scenario/scenario';
import type { ProfileName } from '../../../simulator/wire/profile';
import { sandbox, type Sandbox } from './lab';
import { call, Played, scripted } from './Played';

/** Every profile. */
export const ALL: ProfileName[] = ['d1', 'd1-roles', 'd2', 'd2-receipts', 'd3'];
/** Those whose pushes are numbered. */
export const NUMBERED: ProfileName[] = ['d2', 'd2-receipts', 'd3'];

/** Says one word. */
const GREETING = scripted({ Hello: { text: 'Hello.' } });

/** Asks whether it may commit at the word `Commit`. */
export const COMMITTING = scripted({
  Commit: call('shell', { command: 'git commit --allow-empty -m x' }),
  'tool: rejected': { text: 'Refused.' },
  'tool: [main': { text: 'Done.' },
});

/** Writes a plan and hands it off at the word `Plan`; says something about it when it is accepted. */
export const PLANNING = scripted({
  Plan: call('write', { path: '.chord/plans/a.md', content: '# A\n' }),
  'tool: Successfully wrote': call('handoff', { plan_path: '.chord/plans/a.md' }),
  'Execute the plan': { text: 'Planned.' },
  Hello: { text: 'Hello.' },
});

/** A sandbox for one test, and the engines that play in it. */
export class Playground {
  private current: Sandbox | undefined;
  private readonly playing: Played[] = [];

  get box(): Sandbox {
    if (!this.current) throw new Error('a playground is open only while a test runs');
    return this.current;
  }

  open(): void {
    this.current = sandbox();
  }

  close(): void {
    for (const played of this.playing.splice(0)) played.engine.stop('end of test');
    this.current?.remove();
    this.current = undefined;
  }

  /** Starts an engine. */
  play(profile: ProfileName, scenario: Scenario = GREETING, start?: Start): Played {
    return this.keep(new Played(this.box, profile, scenario, start));
  }

  /** Ends an engine and begins again in its session. */
  restart(played: Played): Played {
    return this.keep(played.restarted());
  }

  /** Adds lines to the configuration that the next engine reads. */
  configure(yaml: string): void {
    appendFileSync(join(this.box.home, '.config/chord/config.yaml'), yaml);
  }

  private keep(played: Played): Played {
    this.playing.push(played);
    return played;
  }
}

/** Gives each test of a file a playground of its own. To be called at the top of the file. */
export function playground(): Playground {
  const ground = new Playground();
  beforeEach(() => ground.open());
  afterEach(() => ground.close());
  return ground;
}
