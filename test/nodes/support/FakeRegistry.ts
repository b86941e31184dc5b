import type { ChordRegistry, OpenRequest } from '../../../chord/registry/contract';
import type { ChordSession, StatusDocument, DecisionAttempt } from '../../../chord/session/contract';
import { registryVersion } from '../../../chord/registry/globalRegistry';
import { FakeSession } from './FakeSession';

const notUsed = async (): Promise<never> => {
  throw new Error('Not used by these nodes');
};

/** Stands in for the registry, so that what nodes ask of it can be looked at without any Chord. */
export class FakeRegistry implements ChordRegistry {
  readonly opened: OpenRequest[] = [];

  private readonly sessions = new Map<string, FakeSession>();

  readonly refused: DecisionAttempt[] = [];

  async noteRefused(decision: DecisionAttempt): Promise<void> {
    this.refused.push(decision);
  }

  decisions = notUsed;

  readonly waits = {
    park: notUsed,
    claim: async () => 'refused' as const,
    take: notUsed,
    cancel: notUsed,
  };

  /** Runs of nodes that have come to their end. */
  readonly ended: string[] = [];

  async runEnded(run: string): Promise<void> {
    this.ended.push(run);
  }

  /** Leases that were not given back. */
  leases = 0;

  /** Called before a session is opened; throws what opening shall throw. */
  onOpen: (request: OpenRequest) => void | Promise<void> = () => undefined;

  /** Puts the registry where the nodes look for it; the registry's own tests hold on to this place. */
  install(): void {
    const slot = { version: registryVersion, loadedFrom: __filename, registry: this };
    Object.assign(globalThis, { [Symbol.for('n8n-nodes-chord.registry')]: slot });
  }

  session(key: string): FakeSession {
    const session = this.sessions.get(key) ?? new FakeSession(key);
    this.sessions.set(key, session);
    return session;
  }

  async open(request: OpenRequest): Promise<ChordSession> {
    this.opened.push(request);
    await this.onOpen(request);
    this.leases += 1;
    return this.lease(this.session(await this.keyOf(request)));
  }

  async keyOf({ address }: Pick<OpenRequest, 'address'>): Promise<string> {
    return 'key' in address ? address.key : `${address.sessionName}:${address.projectDirectory}`;
  }

  /** Calls that were to be ended. */
  readonly cancelled: string[] = [];

  /** Called when a call is to be ended. */
  onCancel: () => void = () => undefined;

  async cancelCall(callId: string): Promise<boolean> {
    this.cancelled.push(callId);
    this.onCancel();
    return true;
  }

  async list(): Promise<StatusDocument[]> {
    return [...this.sessions.values()].map((session) => this.status(session));
  }

  async savedSessions(): Promise<never> {
    return await notUsed();
  }

  async stop(): Promise<void> {
    await notUsed();
  }

  async shutdown(): Promise<void> {
    await notUsed();
  }

  private status(session: FakeSession): StatusDocument {
    return {
      session: session.document(),
      running: true,
      stopped_because: null,
      start: { failed: 0, next_try_at: null },
      busy: false,
      phase: null,
      open_requests: session.ledger.filter(({ state }) => state === 'open').map(({ request }) => request),
      queued_sends: 0,
      unknown_inputs: 0,
      unknown_input_list: [],
      running_jobs: null,
      last_outcome: null,
      last_error: null,
      capabilities: null,
      models: null,
      waits: [],
      diagnostics: null,
      ...session.status,
    };
  }

  private lease(session: FakeSession): ChordSession {
    let released = false;
    const ends: (() => void)[] = [];
    return {
      key: session.key,
      describe: async () => session.document(),
      send: async (request) => {
        session.sent.push(request);
        return await session.onSend(request);
      },
      confirm: async (decision) => await session.confirm(decision),
      status: async () => this.status(session),
      requests: async ({ ids, openOfKind }) =>
        session.ledger.filter(({ request, state }) =>
          ids
            ? ids.includes(request.id)
            : state === 'open' && (openOfKind === undefined || request.kind === openOfKind),
        ),
      listen: async (options, deliver) => {
        const listener = { options, deliver };
        session.listeners.push(listener);
        ends.push(() => session.listeners.splice(session.listeners.indexOf(listener), 1));
      },
      release: async () => {
        for (const end of ends.splice(0)) end();
        if (!released) this.leases -= 1;
        released = true;
      },
      answer: notUsed,
      handoff: notUsed,
      models: notUsed,
      role: notUsed,
      cancel: notUsed,
      shell: notUsed,
      switchSession: notUsed,
      command: notUsed,
      acknowledge: async () => session.acknowledged,
    };
  }
}
