import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { getRegistry, type ConnectionSettings, type StatusDocument } from '../../chord';
import { holderOf, itemParameters } from '../shared/execution';
import { asJson } from '../shared/items/json';
import { requestItem } from '../shared/items/requestItem';
import { readConnection } from '../shared/settings/connection';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readNamedSession } from '../shared/settings/session';
import { withSession } from '../shared/withSession';

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
      holder: holderOf(context),
    },
    (session) => session.status(request),
  );
};

/** The snapshots that one input item asks for, as items. */
export const statusItem = async (
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> => {
  const connection = await readConnection(context, itemIndex);
  const parameters = itemParameters(context, itemIndex);
  const documents =
    parameters.choice('scope', ['session', 'all']) === 'all'
      ? await getRegistry().list(connection.credentialId)
      : [await oneSession(context, connection, parameters)];
  return documents.map((document) => ({
    json: asJson({ ...document, open_requests: document.open_requests.map(requestItem) }),
  }));
};
