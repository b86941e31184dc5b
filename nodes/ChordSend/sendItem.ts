import type { IExecuteFunctions } from 'n8n-workflow';
import type { CallResult, SessionDocument } from '../../chord';
import { callIdOf, holderOf, itemParameters } from '../shared/execution';
import { readConnection } from '../shared/settings/connection';
import { heldRequests } from '../shared/upstream/lineRequests';
import { RunData } from '../shared/upstream/RunData';
import { withSession } from '../shared/withSession';
import { readSendSettings } from './settings';

/** What one item's message came to, and in which session. */
export interface Sent {
  result: CallResult;
  session: SessionDocument;
}

/** Sends the message of one item and waits as its parameters say. */
export const sendItem = async (context: IExecuteFunctions, itemIndex: number): Promise<Sent> => {
  const connection = await readConnection(context, itemIndex);
  const { session, request } = readSendSettings(itemParameters(context, itemIndex), connection);
  const held =
    request.whenRequestOpen === 'wait'
      ? heldRequests(new RunData(context, itemIndex), context.getInputData()[itemIndex]?.json)
      : [];
  return await withSession(
    { settings: connection, ...session, process: 'on_demand', holder: holderOf(context) },
    async (opened) => ({
      result: await opened.send(
        { ...request, callId: callIdOf(context, itemIndex), heldRequests: held },
        { signal: context.getExecutionCancelSignal() },
      ),
      session: await opened.describe(),
    }),
  );
};
