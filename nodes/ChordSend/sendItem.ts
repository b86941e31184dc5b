import type { IExecuteFunctions } from 'n8n-workflow';
import { ChordError, type CallResult, type SessionDocument } from '../../chord';
import { callIdOf, itemParameters } from '../shared/run/execution';
import { readConnection } from '../shared/settings/connection';
import { heldRequests } from '../shared/upstream/lineRequests';
import { RunData } from '../shared/upstream/RunData';
import { callSession } from '../shared/suspend/callSession';
import { readSendSettings } from './settings';

/** What one item's message came to, and in which session. */
export interface Sent {
  result: CallResult;
  session: SessionDocument;
}

const sessionOf = (result: CallResult): SessionDocument => {
  if (result.kind === 'finished') return result.result.session;
  const [event] = result.events;
  if (event) return event.session;
  throw new ChordError('internal', 'A decision is needed, but there is no request.');
};

/** Sends the message of one item and waits as its parameters say. */
export const sendItem = async (context: IExecuteFunctions, itemIndex: number): Promise<Sent> => {
  const connection = await readConnection(context, itemIndex);
  const { session, request, waitMode } = readSendSettings(itemParameters(context, itemIndex), connection);
  const result = await callSession(context, itemIndex, waitMode, async () => {
    const heldRequestIds =
      request.whenRequestOpen === 'wait'
        ? heldRequests(new RunData(context, itemIndex), context.getInputData()[itemIndex]?.json)
        : [];
    return {
      open: { settings: connection, ...session, process: 'on_demand' },
      call: {
        method: 'send',
        request: { ...request, callId: callIdOf(context, itemIndex), heldRequests: heldRequestIds },
      },
    };
  });
  return { result, session: sessionOf(result) };
};
