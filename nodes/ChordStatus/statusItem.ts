import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type ConnectionSettings, type StatusDocument } from '../../chord';
import { openedBy, itemParameters } from '../shared/run/execution';
import { asJson } from '../shared/items/json';
import { requestItem } from '../shared/items/requestItem';
import { readConnection } from '../shared/settings/connection';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readNamedSession } from '../shared/settings/session';
import { withSession } from '../shared/run/withSession';
import { registry } from '../shared/run/registry';

const oneSession = async (
  context: IExecuteFunctions,
  connection: ConnectionSettings,
  parameters: ParameterReader,
): Promise<StatusDocument> => {
  const options = parameters.collection('options');
  const request = {
    diagnostics: options.flag('diagnostics'),
    includeModels: options.flag('includeModels'),
  };
  return await withSession(
    {
      settings: connection,
      ...readNamedSession(parameters, connection),
      process: options.flag('startIfNeeded') ? 'now' : 'never',
      ...openedBy(context),
    },
    (session) => session.status(request),
  );
};

/** So many decisions are shown, the newest first: the file itself has them all. */
const shownDecisions = 200;

/** The audited decisions, refused ones too, one item each. */
const decisionItems = async (credentialId: string): Promise<INodeExecutionData[]> =>
  (await registry().decisions(credentialId, shownDecisions)).map((entry) => ({
    // By a name that n8n's expressions can read, too: they block `arguments`.
    json: asJson({ ...entry, ...('arguments' in entry && { input: entry.arguments }) }),
  }));

/** What one input item asks for, as items. */
export const statusItem = async (
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> => {
  const connection = await readConnection(context, itemIndex);
  const parameters = itemParameters(context, itemIndex);
  const scope = parameters.choice('scope', ['session', 'all', 'decisions']);
  if (scope === 'decisions') return await decisionItems(connection.credentialId);
  const documents =
    scope === 'all'
      ? await registry().list(connection.credentialId)
      : [await oneSession(context, connection, parameters)];
  return documents.map((document) => ({
    json: asJson({
      ...document,
      open_requests: document.open_requests.map((request) => requestItem(request)),
    }),
  }));
};
