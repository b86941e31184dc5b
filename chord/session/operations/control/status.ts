import type { StatusDocument, StatusRequest } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import { models } from './modelPools';

/** What is known of the session, after a status of Chord's where one comes. Starts nothing. */
export async function status(core: SessionCore, request: StatusRequest): Promise<StatusDocument> {
  // A status that fails to come leaves what is known, which is what Status is for.
  if (core.isRunning()) await core.connection.status().catch(() => undefined);
  const running = core.isRunning();
  const { state } = core;
  return {
    session: core.describe(),
    running,
    stopped_because: running ? null : 'not_running',
    start: { failed: 0, next_try_at: null },
    busy: running ? core.busy : null,
    phase: core.isShellRunning && !state.busy ? 'running local shell' : state.phase,
    open_requests: state.ledger.open().map((entry) => structuredClone(entry.request)),
    queued_sends: core.queue.length,
    unknown_inputs: core.inputs.unknown,
    unknown_input_list: core.inputs.unknownList,
    running_jobs: state.runningJobs,
    last_outcome: state.lastOutcome,
    last_error: state.lastError,
    capabilities: state.step === 0 ? null : { ...state.capabilities },
    models: running && request.includeModels ? (await models(core, {})).text : null,
    waits: core.host.waits(),
    diagnostics: request.diagnostics ? core.diagnostics() : null,
  };
}
