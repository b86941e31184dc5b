import type { IExecuteFunctions } from 'n8n-workflow';
import { ChordError, type ConnectionSettings, type OpenRequest } from '../../../chord';
import { openedBy } from '../run/execution';
import { registry } from '../run/registry';
import { withSession } from '../run/withSession';
import { continueSession } from '../settings/session';
import type { SessionChoice } from '../settings/target';
import { sessionKeyOf, type ItemRequest } from './chordItems';
import { lineRequests, lineSessions } from './lineRequests';
import type { RunData } from './RunData';
import { refuseSample } from './sampleSession';

/** Finds the session of a request, by the user's choice or by what came before. Starts no process. */
export class SessionFinder {
  constructor(
    private readonly context: IExecuteFunctions,
    private readonly data: RunData,
    private readonly incoming: unknown,
    private readonly connection: ConnectionSettings,
    private readonly choice: SessionChoice,
  ) {}

  /**
   * The session of a request of which no more than its id is known.
   *
   * @param requestId empty where not even that is known
   * @throws ChordError `wrong_session` where several sessions could be meant, or none
   */
  ofRequest(requestId: string): OpenRequest {
    return this.opening(this.choice.from === 'auto' ? this.keyUpstream(requestId) : '');
  }

  /** The session of a request that an item carries. */
  ofItem({ id, sessionKey }: ItemRequest): OpenRequest {
    return sessionKey ? this.opening(sessionKey) : this.ofRequest(id);
  }

  /**
   * Leaves out what belongs to another session than the one that the user named: a request never goes elsewhere than
   * where it came from.
   *
   * @throws ChordError `wrong_session` where nothing is left
   */
  async inChosenSession(requests: ItemRequest[]): Promise<ItemRequest[]> {
    for (const { sessionKey, id } of requests) refuseSample(sessionKey, id);
    const [first] = requests;
    if (!first || this.choice.from === 'auto') return requests;
    const key = await registry().keyOf(this.opening(''));
    const here = requests.filter(({ sessionKey }) => sessionKey === '' || sessionKey === key);
    if (here.length > 0) return here;
    throw new ChordError(
      'wrong_session',
      `Request ${first.id} belongs to the session ${first.sessionKey}, not to ${key}.`,
      {
        sessionKey: key,
        requestId: first.id,
        description: 'Set Session to "Automatic", or name the session the request came from.',
      },
    );
  }

  /** What each request's own session knows of it; nothing where it does not know the request. */
  async statesOf(requests: ItemRequest[]): Promise<Map<ItemRequest, string>> {
    const states = new Map<ItemRequest, string>();
    for (const key of new Set(requests.map(({ sessionKey }) => sessionKey))) {
      const here = requests.filter(({ sessionKey }) => sessionKey === key);
      const [first] = here;
      if (!first) continue;
      const ids = here.map(({ id }) => id);
      const entries = await withSession(this.ofItem(first), (session) => session.requests({ ids }));
      for (const request of here) {
        const entry = entries.find((candidate) => candidate.request.id === request.id);
        if (entry) states.set(request, entry.state);
      }
    }
    return states;
  }

  /** The key of the session that the incoming item, or the one line before it, belongs to. */
  private keyUpstream(requestId: string): string {
    const incoming = sessionKeyOf(this.incoming);
    if (incoming) return incoming;
    const ofRequest = lineRequests(this.data).filter(({ id }) => id === requestId);
    const keys =
      ofRequest.length > 0 ? ofRequest.map(({ sessionKey }) => sessionKey) : lineSessions(this.data);
    const [only, ...others] = [...new Set(keys)];
    if (only && others.length === 0) return only;
    throw new ChordError(
      'wrong_session',
      only
        ? `Several sessions could be meant: ${[only, ...others].join(', ')}.`
        : 'No Chord session was found before this node.',
      { description: 'Say which one: set Session to "By Name" or "By Key".' },
    );
  }

  /** @param key the session that was found; not used where the user chose one */
  private opening(key: string): OpenRequest {
    const { choice } = this;
    const common = { settings: this.connection, process: 'never' as const, ...openedBy(this.context) };
    if (choice.from === 'named') return { ...common, address: choice.address, start: choice.start };
    const address = { key: choice.from === 'key' ? choice.key : key };
    refuseSample(address.key);
    return { ...common, address, start: continueSession };
  }
}
