import type { IExecuteFunctions } from 'n8n-workflow';
import { ChordError, type ConnectionSettings, type OpenRequest, type RequestKind } from '../../../chord';
import type { Answering } from '../run/answering';
import { refuseSample } from './sampleSession';
import type { TargetSettings } from '../settings/target';
import { withSession } from '../run/withSession';
import { requestOf, type ItemRequest } from './chordItems';
import { isElsewhere, lastOfLine, lineRequests, unclearRequests } from './lineRequests';
import { RunData } from './RunData';
import { SessionFinder } from './SessionFinder';

/** The request that a responder answers, and its session. */
export interface Target {
  open: OpenRequest;
  /** How a request of its kind is answered. */
  answering: Answering;
  requestId: string;
  /** False for an id that the user typed: one that nobody knows is then a mistake, not a loss. */
  fromItem: boolean;
}

const listed = (requests: { id: string; state: string }[]): string =>
  requests.map(({ id, state }) => `${id} (${state})`).join(', ');

const ambiguous = (requests: { id: string; state: string }[]) =>
  new ChordError(
    'ambiguous_request',
    requests.length > 1
      ? `Several requests could be meant: ${listed(requests)}.`
      : `It is unclear whether the request ${listed(requests)} belongs to this item.`,
    { description: 'Say which one: set Request to "By ID".', details: { requests } },
  );

/** Finds the request and the session of one incoming item, by the user's choice or by what came before. */
export class TargetFinder {
  private readonly data: RunData;

  private readonly incoming: unknown;

  private readonly sessions: SessionFinder;

  constructor(
    context: IExecuteFunctions,
    itemIndex: number,
    connection: ConnectionSettings,
    private readonly settings: TargetSettings,
    private readonly kinds: readonly Answering[],
  ) {
    this.data = new RunData(context, itemIndex);
    this.incoming = context.getInputData()[itemIndex]?.json;
    this.sessions = new SessionFinder(context, this.data, this.incoming, connection, settings.session);
  }

  /**
   * Starts no process.
   *
   * @throws ChordError if no request, or more than one, could be meant
   */
  async find(): Promise<Target> {
    const { request } = this.settings;
    if (request.from === 'id') {
      const open = this.sessions.ofRequest(request.id);
      return {
        open,
        answering: await this.answeringOf(request.id, open),
        requestId: request.id,
        fromItem: false,
      };
    }
    if (request.from === 'open') return await this.onlyOpen(this.sessions.ofRequest(''));
    const incoming = requestOf(this.incoming);
    return incoming ? await this.incomingRequest(incoming) : await this.lookUp();
  }

  private async incomingRequest(incoming: ItemRequest): Promise<Target> {
    refuseSample(incoming.sessionKey, incoming.id);
    if (incoming.kind && !this.answers(incoming.kind)) {
      throw new ChordError('wrong_kind', `The incoming request ${incoming.id} is a ${incoming.kind}.`, {
        requestId: incoming.id,
        description: `This node only answers requests of the kind ${this.kindNames}. Chord Answer takes every kind.`,
      });
    }
    const [request] = await this.sessions.inChosenSession([incoming]);
    return await this.found(request ?? incoming);
  }

  /** The rule of "automatic": of the line's requests of these kinds, the one that is not known to be closed. */
  private async lookUp(): Promise<Target> {
    const ofKind = (requests: ItemRequest[]) =>
      requests.filter(({ kind }) => kind !== '' && this.answers(kind));
    const merged = ofKind(unclearRequests(this.data));
    const here = await this.sessions.inChosenSession([...ofKind(lineRequests(this.data)), ...merged]);
    const unclear = here.filter((request) => merged.includes(request));
    const line = here.filter((request) => !merged.includes(request));
    const states = await this.sessions.statesOf(here);
    const isOpen = (request: ItemRequest) => (states.get(request) ?? 'open') === 'open';
    const withState = (requests: ItemRequest[]) =>
      requests.map((request) => ({ id: request.id, state: states.get(request) ?? 'unknown' }));
    if (unclear.some(isOpen) || (line.length === 0 && unclear.length > 0)) {
      throw ambiguous(withState([...line.filter(isOpen), ...unclear]));
    }
    if (line.length === 0) {
      throw new ChordError('unknown_request', 'No Chord request was found before this node.', {
        description:
          'Connect this node after a Chord Trigger or the "Needs Decision" output of a Chord node, or say which request is meant: set Request to "By ID".',
      });
    }
    const pending = line.filter(isOpen);
    const candidates = pending.length > 0 ? pending : lastOfLine(line);
    const [only, ...others] = candidates;
    if (!only || others.length > 0) throw ambiguous(withState(candidates));
    return await this.found(only);
  }

  private async found(request: ItemRequest): Promise<Target> {
    const open = this.sessions.ofItem(request);
    const { id, kind } = request;
    return { open, answering: await this.answeringOf(id, open, kind), requestId: id, fromItem: true };
  }

  private async onlyOpen(open: OpenRequest): Promise<Target> {
    const { all, key } = await withSession(open, async (session) => ({
      all: await session.requests({}),
      key: session.key,
    }));
    const entries = all.filter(({ request }) => this.answers(request.kind));
    const [only, ...others] = entries;
    if (!only) {
      const kind = this.kinds.length > 1 ? '' : ` of the kind ${this.kindNames}`;
      throw new ChordError('unknown_request', `The session has no open request${kind}.`, {
        description:
          'It may have been answered or have ended in the meantime. Chord Status shows what is open.',
      });
    }
    const { id, kind } = only.request;
    if (others.length > 0 || isElsewhere(this.data, this.incoming, key, id)) {
      throw ambiguous(entries.map(({ request, state }) => ({ id: request.id, state })));
    }
    return { open, answering: await this.answeringOf(id, open, kind), requestId: id, fromItem: true };
  }

  private get kindNames(): string {
    return this.kinds.map(({ kind }) => kind).join(', ');
  }

  private answers(kind: RequestKind): boolean {
    return this.kinds.some((answering) => answering.kind === kind);
  }

  /**
   * How the request is answered. A node for one kind has one way, and the session refuses a request of another kind; else
   * the item states the kind, or the session does, or an earlier item where the session no longer knows of it.
   */
  private async answeringOf(
    id: string,
    open: OpenRequest,
    stated: ItemRequest['kind'] = '',
  ): Promise<Answering> {
    const [first, ...others] = this.kinds;
    if (first && others.length === 0) return first;
    const kind = stated || (await this.kindOf(id, open));
    const answering = this.kinds.find((candidate) => candidate.kind === kind);
    if (answering) return answering;
    throw new ChordError('unknown_request', `It is not known what kind of request ${id} is.`, {
      requestId: id,
      description:
        'Check that the ID and the session are right. If n8n has been restarted since, use the node made for this kind of request: Chord Confirm, Question or Handoff.',
    });
  }

  private async kindOf(id: string, open: OpenRequest): Promise<ItemRequest['kind']> {
    const [entry] = await withSession(open, (session) => session.requests({ ids: [id] }));
    return entry?.request.kind ?? lineRequests(this.data).find((request) => request.id === id)?.kind ?? '';
  }
}
