import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionSettings } from '../../../chord/registry/contract';
import type { ChordSession, HandoffDecision } from '../../../chord/session';
import { failure } from '../../session/support/promises';
import { temporaryFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';
import { message, Rig, status } from '../support/Rig';
import { settingsFor } from '../support/settings';

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

  /** A session that was used, and has a plan. */
  async plan(more: Partial<ConnectionSettings> = {}): Promise<ChordSession> {
    const session = await this.open('continue', '', more);
    const { chord } = this.rig;
    await session.send(message('Plan it.', { waitFor: 'nothing' }));
    chord.work();
    this.save('S1');
    chord.handoffRequest('h1');
    chord.idle();
    return session;
  }

  /** Approves the plan, and ends the process before the turn does. */
  async handOff(made: string[], more: Partial<ConnectionSettings> = {}): Promise<void> {
    const session = await this.plan(more);
    const { decision } = await session.handoff(approval);
    expect(decision.action).toBe('approve');
    for (const id of made) this.save(id);
    await this.rig.registry.stop(session.key, { force: true });
    await session.release();
  }
}

const { message: _, ...waiting } = message('', { waitFor: 'nothing' });

const approval: HandoffDecision = {
  ...waiting,
  requestId: 'h1',
  fromItem: false,
  action: 'approve',
  agent: '',
  pool: '',
  denyReason: '',
};

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
    ['none', [], /no session created since then was found/],
    ['several', ['S2', 'S3'], /2 sessions were created since then: .*S2.*S3/],
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

  test('a session that another name of the project began is not the one', async () => {
    const project = new Project();
    await project.handOff(['S7']);
    const address = { projectDirectory: '', sessionName: 'other', worktree: '' };
    const other = await project.rig.open({ settings: project.settings(), address });
    const { id } = (await status(other)).session;
    project.save(id);
    await project.open();
    expect(project.rig.started).toEqual(['new', 'new', 'resume S7']);
    expect(id).toBe('S2');
  });

  test('it is noted also when nobody waits for the proof any more', async () => {
    const project = new Project();
    const session = await project.plan();
    project.rig.chord.mute = true;
    const decided = failure(session.handoff({ ...approval, timeoutMs: 1000 }));
    await until(() => project.rig.chord.of('handoff').length === 1, { what: 'the approval was written' });
    await project.rig.clock.advance(1000);
    expect((await decided).code).toBe('timeout');
    project.rig.chord.answerAll();
    project.save('S2');
    await project.rig.registry.stop(session.key, { force: true });
    await session.release();
    await project.open();
    expect(project.rig.started.at(-1)).toBe('resume S2');
  });

  test.each([
    ['opened none, it goes on where it was', [], 'resume S1'],
    ['opened one, it goes on there', ['S2'], 'resume S2'],
  ])('when nothing proves the approval and Chord %s', async (_, made, start) => {
    const project = new Project();
    const session = await project.plan();
    project.rig.chord.mute = true;
    const decided = failure(session.handoff(approval));
    await until(() => project.rig.chord.of('handoff').length === 1, { what: 'the approval was written' });
    for (const id of made) project.save(id);
    project.rig.crash();
    expect((await decided).code).toBe('outcome_unknown');
    await session.release();
    await project.rig.clock.advance(1000);
    await project.open();
    expect(project.rig.started.at(-1)).toBe(start);
  });
});
