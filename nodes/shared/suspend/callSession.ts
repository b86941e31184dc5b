import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ChordError, type CallControl, type ChordSession, type OpenRequest } from '../../../chord';
import { callIdOf, openedBy } from '../run/execution';
import { isTool } from '../run/isTool';
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

/** A call to a session: which one, and what is asked of it, which has the name that {@link callIdOf} gives. */
export interface SessionCall<Result> {
  open: Omit<OpenRequest, 'holder' | 'attended'>;
  work: (session: ChordSession, control: CallControl) => Promise<Result>;
}

/**
 * Makes one item's call to a session: while the workflow keeps running, or suspended in n8n's waiting state, where it
 * holds no worker and outlives a restart.
 *
 * @param plan finds out what to call; not asked when the call was made before the execution was suspended, since what
 *   it would look at (open requests, upstream items) has changed since
 * @throws Suspended when the call is under way and n8n shall wait for it
 */
export const callSession = async <Result>(
  context: IExecuteFunctions,
  itemIndex: number,
  waitMode: WaitMode,
  plan: () => Promise<SessionCall<Result>>,
): Promise<Result> => {
  if (waitMode === 'running') {
    const { open, work } = await plan();
    return await withSession({ ...open, ...openedBy(context) }, (session) =>
      work(session, { signal: context.getExecutionCancelSignal() }),
    );
  }
  refuseInTool(context);
  const callId = callIdOf(context, itemIndex);
  const notes = (context.getContext('node')[notesKey] ??= {}) as IDataObject;
  // The execution was suspended for this call: it is never made a second time.
  if (notes[callId] === true) return (await registry().waits.take(callId)) as Result;
  await park(context, itemIndex, callId, await plan(), notes);
  throw new Suspended();
};

/** Starts the call and gives it to the registry to keep. */
const park = async <Result>(
  context: IExecuteFunctions,
  itemIndex: number,
  callId: string,
  { open, work }: SessionCall<Result>,
  notes: IDataObject,
): Promise<void> => {
  const by = openedBy(context);
  const { name, id } = context.getWorkflow();
  const { waits } = registry();
  waits.warnWith((problem) => context.logger.warn(problem));
  const session = await registry().open({ ...open, ...by });
  // The execution ends here and its stop signal with it; the call goes on in the registry.
  const call = (control: CallControl) => work(session, control).finally(() => void session.release());
  let isParked = false;
  try {
    await waits.park(
      {
        callId,
        executionId: context.getExecutionId(),
        resumeUrl: resumeUrlOf(context, itemIndex),
        n8nAddress: open.settings.n8nAddress,
        sessionKey: session.key,
        waiter: by.holder,
        workflow: name ?? id ?? '',
        node: context.getNode().name,
      },
      call,
    );
    isParked = true;
  } finally {
    // Where the wait could not be noted, the call was not made.
    if (!isParked) await session.release();
  }
  notes[callId] = true;
};
