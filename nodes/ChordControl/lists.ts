import { randomUUID } from 'node:crypto';
import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { type ChordSession, type OpenRequest, type SavedSession } from '../../chord';
import { editorParameters } from '../shared/editor/editorParameters';
import { listResult } from '../shared/editor/listResult';
import { readConnection } from '../shared/settings/connection';
import { continueSession, readNamedSession } from '../shared/settings/session';
import { withSession } from '../shared/run/withSession';
import { registry } from '../shared/run/registry';

/** The session that the node names. */
const named = async (context: ILoadOptionsFunctions): Promise<Pick<OpenRequest, 'settings' | 'address'>> => {
  const settings = await readConnection(context);
  const { address } = readNamedSession(editorParameters(context), settings);
  return { settings, address };
};

/**
 * Only a running Chord knows its pools and roles, so it is started where it does not run: as the node itself would do,
 * in the session that is continued. Commands that only read are written, never a message.
 */
const ask = async <Result>(
  context: ILoadOptionsFunctions,
  question: (session: ChordSession) => Promise<Result>,
): Promise<Result> =>
  await withSession(
    {
      ...(await named(context)),
      start: continueSession,
      process: 'on_demand',
      attended: randomUUID(),
      holder: 'Editor',
    },
    question,
  );

const item = (value: string, note = ''): INodeListSearchItems => ({
  name: note ? `${value} (${note})` : value,
  value,
});

/** The model pools that Chord reports: those in use, and those that an open plan offers. */
export async function searchModelPools(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await listResult(this, filter, async () => {
    const { pools, offered } = await ask(this, async (session) => {
      const status = await session.status({ diagnostics: false, includeModels: false });
      const agents = status.open_requests.flatMap((open) => (open.kind === 'handoff' ? open.agents : []));
      return {
        pools: await session.models({}),
        offered: agents.flatMap(({ model_pools: names }) => names),
      };
    });
    const inUse = [pools.current_pool, ...pools.agents.map(({ pool }) => pool)].filter(Boolean);
    return [...new Set([...inUse, ...offered])].map((pool) =>
      item(pool, pool === pools.current_pool ? 'active' : ''),
    );
  });
}

/** The agents that have a model pool. */
export async function searchAgents(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await listResult(this, filter, async () => {
    const { agents } = await ask(this, (session) => session.models({}));
    return agents.map(({ name, pool }) => item(name, pool));
  });
}

/** The roles that the agent can take. */
export async function searchRoles(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await listResult(this, filter, async () => {
    const { roles } = await ask(this, (session) => session.role({}));
    return roles.map(({ name, current }) => item(name, current ? 'active' : ''));
  });
}

/** A size as people read it. */
const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KB`
      : `${Math.round(bytes / 1024 ** 2)} MB`;

/** First message, date and size; the id only where there is nothing better to tell sessions apart. */
const sessionItem = ({ id, first_message, updated_at, size_bytes }: SavedSession): INodeListSearchItems => {
  const line = first_message.replace(/\s+/g, ' ').trim();
  const title = line.length > 60 ? `${Array.from(line).slice(0, 60).join('')}…` : line;
  const when = updated_at.slice(0, 16).replace('T', ' ');
  return { name: `${title || id} · ${when} · ${sizeOf(size_bytes)}`, value: id };
};

/** The earlier sessions of the project, from Chord's own files: no Chord is started. */
export async function searchSessions(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await listResult(this, filter, async () =>
    (await registry().savedSessions(await named(this))).map(sessionItem),
  );
}

/** The executions that wait for this session. Where Chord does not run, none is started for it. */
export async function searchWaits(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await listResult(this, filter, async () => {
    const open = {
      ...(await named(this)),
      start: continueSession,
      process: 'never' as const,
      holder: 'Editor',
    };
    const { waits } = await withSession(open, (session) =>
      session.status({ diagnostics: false, includeModels: false }),
    );
    return waits.map(({ execution_id, workflow, node, since }) => ({
      name: `${workflow} · ${node} · execution ${execution_id} · since ${since.slice(0, 16).replace('T', ' ')}`,
      value: execution_id,
    }));
  });
}
