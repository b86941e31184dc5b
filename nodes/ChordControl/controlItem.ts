import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { neutral, type OpenRequest } from '../../chord';
import { callIdOf, openedBy, itemParameters } from '../shared/run/execution';
import { asJson } from '../shared/items/json';
import { readConnection } from '../shared/settings/connection';
import { heldRequests } from '../shared/upstream/lineRequests';
import { RunData } from '../shared/upstream/RunData';
import { stoppable } from '../shared/run/stoppable';
import { withSession } from '../shared/run/withSession';
import { operate, processFor } from './operations';
import { readControlSettings } from './settings';

/** Does the operation of one item; the item says what came of it, and in which session. */
export const controlItem = async (
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> => {
  const connection = await readConnection(context, itemIndex);
  const settings = readControlSettings(itemParameters(context, itemIndex), connection);
  const { operation } = settings;
  const open: OpenRequest = {
    settings: connection,
    ...settings.session,
    process: processFor(operation),
    ...openedBy(context),
  };
  const rules = {
    whenRequestOpen: settings.whenRequestOpen,
    heldRequests: heldRequests(new RunData(context, itemIndex), context.getInputData()[itemIndex]?.json),
    callId: callIdOf(context, itemIndex),
  };
  return await withSession(open, async (session) => {
    const { outcome, summary, facts } = await stoppable(context, rules.callId, () =>
      operate[operation](session, { settings, open, rules }),
    );
    const document = {
      operation,
      outcome,
      // It may hold what Chord said, and people drag it into texts.
      summary: neutral.prose(summary),
      session: await session.describe(),
      ...facts,
    };
    return [{ json: asJson(document) }];
  });
};
