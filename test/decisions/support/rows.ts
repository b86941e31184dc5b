import { ChordError } from '../../../chord/errors';
import type { RequestKind } from '../../../chord/session';
import { readStepAnswer } from '../../../nodes/shared/approvalStep/stepAnswer';
import { readStepDecision } from '../../../nodes/shared/approvalStep/stepDecision';
import { openSeconds, type Scene } from './Scene';

const kinds: readonly RequestKind[] = ['confirm', 'question', 'handoff'];

const readDecision = (step: unknown): unknown => readStepDecision(step, ['grant', 'deny', 'cancel']);

/** The code with which a reading fails. */
function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (ChordError.is(error)) return error.code;
    throw error;
  }
  return 'it decides';
}

/** What happens in each row of the matrix, once a request is open. */
export const rows = {
  late: async (scene) => {
    scene.answer({ grants: false });
    await scene.answered();
    await scene.pass(3600);
    scene.answer();
  },
  double: async (scene) => {
    scene.answer();
    scene.answer({ grants: false });
    await scene.answered();
  },
  'wrong id': async (scene) => {
    scene.answer({ id: 'never-seen', fromItem: false });
    scene.answer({ id: 'never-seen', fromItem: true });
    scene.answer({ id: '' });
    await scene.answered();
  },
  'wrong session': async (scene) => {
    const session = await scene.open('now', 'other');
    await scene.ask(session);
    scene.answer({ session, fromItem: false });
    scene.answer({ session, fromItem: true });
    await scene.answered();
  },
  'wrong kind': async (scene) => {
    for (const kind of kinds) if (kind !== scene.kind) scene.answer({ kind });
    await scene.answered();
  },
  expired: async (scene) => {
    await scene.pass(openSeconds + 1);
    scene.answer();
    await scene.answered();
  },
  'superseded by a message': async (scene) => {
    await scene.send(scene.session, 'Hello.');
    scene.answer();
    await scene.answered();
  },
  'ended with the turn': async (scene) => {
    await scene.session.cancel();
    await scene.rest();
    scene.answer();
    await scene.answered();
  },
  'process restarted': async (scene) => {
    scene.chord.process.crash();
    await scene.pass(1);
    await scene.open('now');
    scene.answer();
    await scene.answered();
  },
  'n8n restarted': async (scene) => {
    await scene.restartN8n();
    scene.answer();
    await scene.answered();
  },
  'unknown outcome': async (scene) => {
    scene.chord.process.stdin.hold();
    scene.answer();
    await scene.rest();
    scene.chord.process.crash();
    await scene.answered();
    await scene.pass(1);
    await scene.open('now');
    scene.answer();
    await scene.answered();
  },
  'missing decision': async (scene) => {
    // Before it comes to the session: what an approval step can give without a decision in it.
    const read = scene.kind === 'question' ? readStepAnswer : readDecision;
    for (const step of [{}, { data: {} }, { data: { text: ' ' } }, [], '  ', null, { approved: true }]) {
      expect(codeOf(() => read(step))).toBe('no_decision');
    }
    scene.answer({ action: '' });
    await scene.answered();
  },
  'not delivered': async (scene) => {
    scene.chord.process.broken = true;
    scene.answer();
    await scene.answered();
    scene.chord.process.broken = false;
    scene.answer();
    await scene.answered();
  },
} satisfies Record<string, (scene: Scene) => Promise<void>>;
