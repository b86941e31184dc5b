import type { Mail } from '../../../rig/Mailbox';
import type { StoredWorkflow } from '../../../rig/N8nClient';
import { outputOf } from '../../../rig/n8nExecution';
import type { Scene } from './Scene';

/** Nothing that was done to this mail has decided anything: the workflow still waits, and the form's denial counts. */
export async function expectUndecided(scene: Scene, ask: StoredWorkflow, mail: Mail): Promise<void> {
  const [execution] = await scene.client.executions({ workflowId: ask.id });
  expect(execution?.status).toBe('waiting');
  await scene.answer(mail, { Decision: 'Deny' });
  const [decided] = outputOf(await scene.finished(ask), 'Chord Answer');
  expect(decided?.json).toMatchObject({ decision: { action: 'deny' } });
}
