import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionSettings } from '../../chord/registry/contract';
import type { ChordSession } from '../../chord/session';
import { failure } from '../session/support/promises';
import { temporaryFolder } from '../support/temporaryFolder';
import { message, Rig } from './support/Rig';
import { settingsFor } from './support/settings';

/** A project as Chord keeps it on the disk, on a build that does not tell of a switch of the session. */
class Project {
  readonly rig = new Rig();

  private readonly state = temporaryFolder();

  constructor() {
    this.rig.profile = 'd1';
    mkdirSync(join(this.state, 'projects'));
    const facts = { canonical_root: this.rig.project, sessions_dir: '/x/sessions/p1' };
    writeFileSync(join(this.state, 'projects', 'p1.json'), JSON.stringify(facts));
  }

  /** A session with a message in it; without, it is a folder only. */
  save(id: string, withMessage = true): void {
    const folder = join(this.state, 'sessions', 'p1', id);
    mkdirSync(folder, { recursive: true });
    if (withMessage) appendFileSync(join(folder, 'main.jsonl'), '{}\n');
  }

  settings(more: Partial<ConnectionSettings> = {}): ConnectionSettings {
    return settingsFor(this.rig.project, {
      environment: [{ name: 'CHORD_STATE_DIR', value: this.state }],
      ...more,
    });
  }

  open(start: 'continue' | 'new' | 'resume' = 'continue', sessionId = '', more = {}): Promise<ChordSession> {
    return this.rig.open({ settings: this.settings(more), start: { mode: start, sessionId } });
  }

  /** Approves a plan in a session that was used, and ends the process before the turn does. */
  async handOff(made: string[], more: Partial<ConnectionSettings> = {}): Promise<void> {
    const session = await this.open('continue', '', more);
    const { chord } = this.rig;
    await session.send(message('Plan it.', { waitFor: 'nothing' }));
    chord.work();
    this.save('S1');
    chord.handoffRequest('h1');
    chord.idle();
    const { message: _, ...waiting } = message('', { waitFor: 'nothing' });
    const { decision } = await session.handoff({
      ...waiting,
      requestId: 'h1',
      fromItem: false,
      action: 'approve',
      agent: '',
      pool: '',
      denyReason: '',
    });
    expect(decision.action).toBe('approve');
    for (const id of made) this.save(id);
    await this.rig.registry.stop(session.key, { force: true });
    await session.release();
  }
}

describe('after an accepted handoff that Chord does not tell of', () => {
  test('the next start continues the one session that was made since', async () => {
    const project = new Project();
    project.save('S0');
    project.save('S9', false);
    await project.handOff(['S2']);
    // It was there before without a message, so it is not the one.
    project.save('S9');
    await project.open();
    expect(project.rig.started.at(-1)).toBe('resume S2');
  });

  test.each([
    ['none', [], /none was found made since/],
    ['several', ['S2', 'S3'], /2 were made since: .*S2.*S3/],
  ])('with %s the next start fails and says which there are', async (_, made, words) => {
    const project = new Project();
    await project.handOff(made);
    const error = await failure(project.open());
    expect(error).toMatchObject({ code: 'pin_ambiguous', message: expect.stringMatching(words) as string });
    expect(project.rig.started).toEqual(['new']);
  });

  test('a session that was chosen then is the pinned one from then on', async () => {
    const project = new Project();
    await project.handOff(['S2', 'S3']);
    const chosen = await project.open('resume', 'S1');
    await project.rig.registry.stop(chosen.key, { force: true });
    await chosen.send(message('On.', { waitFor: 'nothing' }));
    expect(project.rig.started).toEqual(['new', 'resume S1', 'resume S1']);
  });

  test('where the sessions cannot be seen, it is said', async () => {
    const project = new Project();
    await project.handOff(['S2'], { runsElsewhere: true });
    const error = await failure(project.open('continue', '', { runsElsewhere: true }));
    expect(error.message).toContain('cannot be seen from here');
  });
});
