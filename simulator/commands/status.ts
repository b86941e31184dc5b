import type { Place } from '../agent/base';
import type { MainAgent } from '../agent/MainAgent';
import type { Command } from '../wire/command';

/**
 * A `status` command.
 *
 * Builds without `session_switched` say the first session to the end (measured).
 */
export function tellStatus(agent: MainAgent, firstSession: string, command: Command): void {
  const { runtime } = agent;
  const { profile, place } = runtime;
  const questions = runtime.questions.statusFields(command);
  if (typeof questions === 'string') {
    runtime.out.refuse(questions);
    return;
  }
  runtime.out.snapshot('status_response', {
    session_id: profile.switching ? agent.conversation.session.id : firstSession,
    ...runtime.status.fields(),
    pending_confirm: runtime.confirms.field(),
    pending_handoff: runtime.handoffs.field(),
    ...questions,
    ...(profile.roles ? { current_role: agent.role.name } : {}),
    ...(profile.jobs ? { workdir: workdirOf(place), running_jobs: agent.runningJobs } : {}),
  });
}

/**
 * The `workdir` object of later builds.
 *
 * Not measured: the fields are from the sources of those builds; `generation` never rises here, as nothing moves the
 * project of a running simulator.
 */
export function workdirOf(place: Place): object {
  return { path: place.project, worktree_id: place.worktree?.name ?? '', generation: 0 };
}
