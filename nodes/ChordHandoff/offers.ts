import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { ChordError, offeredPools, type HandoffDocument, type HandoffTarget } from '../../chord';
import { editorParameters } from '../shared/editor/editorParameters';
import { listResult } from '../shared/editor/listResult';
import { readConnection } from '../shared/settings/connection';
import { readTarget } from '../shared/settings/target';
import { registry } from '../shared/run/registry';

/** Where the session is left to be found, every session of the credential can be meant: no item is there to say which. */
const openHandoffs = async (context: ILoadOptionsFunctions): Promise<HandoffDocument[]> => {
  const connection = await readConnection(context);
  const { session, request } = readTarget(editorParameters(context), connection);
  const sessions = await registry().list(connection.credentialId);
  const key =
    session.from === 'named'
      ? await registry().keyOf({ settings: connection, address: session.address })
      : session.from === 'key' && session.key;
  const meant = sessions.filter((status) => key === false || status.session.key === key);
  const handoffs = meant
    .flatMap(({ open_requests: requests }) => requests)
    .filter((open): open is HandoffDocument => open.kind === 'handoff')
    .filter(({ id }) => request.from !== 'id' || id === request.id);
  if (handoffs.length > 0) return handoffs;
  throw new ChordError(
    'unknown_request',
    'No plan is waiting for a decision, so there is nothing to choose from.',
    {
      description: 'Type the name or leave the field empty.',
    },
  );
};

const offeredAgents = async (context: ILoadOptionsFunctions): Promise<HandoffTarget[]> => {
  const agents = (await openHandoffs(context)).flatMap((handoff) => handoff.agents);
  return [...new Map(agents.map((agent) => [agent.name, agent])).values()];
};

/** The agents that the open plan is offered to. Asks only what is known; never starts Chord. */
export async function searchOfferedAgents(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await listResult(this, filter, async () =>
    (await offeredAgents(this)).map(({ name, default: marked }) => ({
      name: marked ? `${name} (default)` : name,
      value: name,
    })),
  );
}

const poolNames = (agents: HandoffTarget[]): INodeListSearchItems[] =>
  offeredPools({ agents }).map((name) => ({ name, value: name }));

/** The model pools of the chosen agent; of all offered agents while none is chosen. */
export async function searchOfferedPools(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await listResult(this, filter, async () => {
    const agents = await offeredAgents(this);
    const chosen = editorParameters(this).locator('agent');
    return poolNames(chosen ? agents.filter(({ name }) => name === chosen) : agents);
  });
}
