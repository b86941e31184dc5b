import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ChordError, makeCall, type OpenRequest, type SessionCall, type SessionCalls } from '../../../chord';
import { callIdOf, openedBy } from '../run/execution';
import { isTool } from '../run/isTool';
import { stoppable } from '../run/stoppable';
import { withSession } from '../run/withSession';
import { Suspended } from './Suspended';
import { registry } from '../run/registry';

/** How a node waits for its call. */
export type WaitMode = 'running' | 'suspend';

/** Where the parked calls of an execution are noted: n8n saves this with the execution, over restarts. */
export const notesKey = 'chordParkedCalls';

/** n8n's address of this waiting node; n8n wants the suffix at the very end, also after its signature (measured). */
const resumeUrlOf = (context: IExecuteFunctions, itemIndex: number): string =>
  `${String(context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex))}/${context.getNode().id}`;

const refuseInTool = (context: IExecuteFunctions): void => {
  if (!isTool(context)) return;
  throw new ChordError(
    'invalid_settings',
    'A node used as a tool of an AI agent cannot suspend the workflow.',
    {
      description: 'Set "Wait Mode" to "Keep the Workflow Running".',
    },
  );
};

/** A call to a session: which one, and what is asked of it by the name that {@link callIdOf} gives. */
export interface PlannedCall<Method extends keyof SessionCalls> {
  open: Omit<OpenRequest, 'holder' | 'attended'>;
  call: SessionCall<Method>;
}

/**
 * Makes one item's call to a session: while the workflow keeps running, or suspended in n8n's waiting state, where it
 * holds no worker and outlives a restart.
 *
 * @param plan finds out what to call; not asked when the call was made before the execution was suspended, since what
 *   it would look at (open requests, upstream items) has changed since
 * @throws Suspended when the call is under way and n8n shall wait for it
 */
export const callSession = async <Method extends keyof SessionCalls>(
  context: IExecuteFunctions,
  itemIndex: number,
  waitMode: WaitMode,
  plan: () => Promise<PlannedCall<Method>>,
): Promise<SessionCalls[Method]['result']> => {
  const callId = callIdOf(context, itemIndex);
  if (waitMode === 'running') {
    const { open, call } = await plan();
    return await withSession({ ...open, ...openedBy(context) }, (session) =>
      stoppable(context, callId, () => makeCall(session, call)),
    );
  }
  refuseInTool(context);
  const notes = (context.getContext('node')[notesKey] ??= {}) as IDataObject;
  // The execution was suspended for this call: it is never made a second time.
  if (notes[callId] === true) {
    return (await registry().waits.take(callId)) as SessionCalls[Method]['result'];
  }
  await park(context, itemIndex, await plan());
  notes[callId] = true;
  throw new Suspended();
};

/** Has the registry make the call and keep what comes of it. */
const park = async (
  context: IExecuteFunctions,
  itemIndex: number,
  { open, call }: PlannedCall<keyof SessionCalls>,
): Promise<void> => {
  const { name, id } = context.getWorkflow();
  await registry().waits.park({
    open: { ...open, ...openedBy(context) },
    call,
    executionId: context.getExecutionId(),
    resumeUrl: resumeUrlOf(context, itemIndex),
    workflow: name ?? id ?? '',
    node: context.getNode().name,
  });
};
