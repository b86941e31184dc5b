import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { errorDocument, errorFrom, type ErrorDocument } from '../../../chord/errorDocument';
import type { ChordRegistry, SuspendedCalls } from '../../../chord/registry/contract';
import type { ChordEvent, ChordSession, Deliver, ListenOptions } from '../../../chord/session/contract';

/** Every method of the contract: the compiler sees to it that none is missing. */
export const contractMethods = {
  registry: {
    open: true,
    keyOf: true,
    cancelCall: true,
    runEnded: true,
    noteRefused: true,
    decisions: true,
    list: true,
    savedSessions: true,
    stop: true,
    shutdown: true,
  } satisfies Record<Exclude<keyof ChordRegistry, 'waits'>, true>,
  waits: { park: true, claim: true, take: true, cancel: true } satisfies Record<keyof SuspendedCalls, true>,
  session: {
    describe: true,
    send: true,
    confirm: true,
    answer: true,
    handoff: true,
    status: true,
    models: true,
    role: true,
    switchSession: true,
    command: true,
    cancel: true,
    acknowledge: true,
    shell: true,
    requests: true,
    listen: true,
    release: true,
  } satisfies Record<Exclude<keyof ChordSession, 'key'>, true>,
};

/** Which object a call is made to: a lease by its number. */
type Callee = 'registry' | 'waits' | number;

interface Call {
  call: number;
  on: Callee;
  method: string;
  args: unknown[];
}
type Answer = { call: number; value: unknown } | { call: number; error: ErrorDocument };
interface Given {
  listener: number;
  event: ChordEvent;
  position: number;
}
interface Acknowledged {
  listener: number;
  position: number;
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Makes the calls that come through the port. */
function serve(registry: ChordRegistry, port: MessagePort): void {
  const leases: ChordSession[] = [];
  const waiting = new Map<string, () => void>();
  const nameOf = ({ listener, position }: Acknowledged) => `${listener} ${position}`;

  const deliverTo =
    (listener: number): Deliver =>
    (event, position) =>
      new Promise<void>((acknowledge) => {
        waiting.set(nameOf({ listener, position }), acknowledge);
        port.postMessage({ listener, event, position } satisfies Given);
      });

  const carryOut = async ({ on, method, args }: Call): Promise<unknown> => {
    if (on === 'registry' && method === 'open') {
      const session = await registry.open(...(args as Parameters<ChordRegistry['open']>));
      return { lease: leases.push(session) - 1, key: session.key };
    }
    if (method === 'listen') {
      const [options, listener] = args as [ListenOptions, number];
      await leases[on as number]!.listen(options, deliverTo(listener));
      return;
    }
    const callee = on === 'registry' ? registry : on === 'waits' ? registry.waits : leases[on];
    return await (callee as unknown as Methods)[method]!(...args);
  };

  port.on('message', (message: Call | Acknowledged) => {
    if ('listener' in message) {
      waiting.get(nameOf(message))?.();
      return;
    }
    void carryOut(message).then(
      (value) => port.postMessage({ call: message.call, value } satisfies Answer),
      (error: unknown) =>
        port.postMessage({ call: message.call, error: errorDocument(error) } satisfies Answer),
    );
  });
}

/** The other end: looks like the registry, and has nothing but what came through the port. */
class Client {
  private readonly calls: PromiseWithResolvers<unknown>[] = [];

  private readonly listeners: Deliver[] = [];

  constructor(
    private readonly port: MessagePort,
    private readonly carried: Set<string>,
  ) {
    port.on('message', (message: Answer | Given) => {
      if ('listener' in message) void this.deliver(message);
      else if ('error' in message) this.calls[message.call]!.reject(errorFrom(message.error));
      else this.calls[message.call]!.resolve(message.value);
    });
  }

  registry(): ChordRegistry {
    return {
      ...this.methods('registry', 'registry'),
      waits: this.methods('waits', 'waits'),
      open: async (request: unknown) => {
        const opened = (await this.call('registry', 'registry', 'open', [request])) as {
          lease: number;
          key: string;
        };
        return this.session(opened);
      },
    } as unknown as ChordRegistry;
  }

  private session({ lease, key }: { lease: number; key: string }): ChordSession {
    return {
      ...this.methods('session', lease),
      key,
      listen: async (options: ListenOptions, deliver: Deliver) => {
        const listener = this.listeners.push(deliver) - 1;
        await this.call('session', lease, 'listen', [options, listener]);
      },
    } as unknown as ChordSession;
  }

  private methods(kind: keyof typeof contractMethods, on: Callee): Methods {
    return Object.fromEntries(
      Object.keys(contractMethods[kind]).map((method) => [
        method,
        (...args: unknown[]) => this.call(kind, on, method, args),
      ]),
    );
  }

  private call(kind: string, on: Callee, method: string, args: unknown[]): Promise<unknown> {
    this.carried.add(`${kind}.${method}`);
    const answer = withResolvers();
    const call = this.calls.push(answer) - 1;
    this.port.postMessage({ call, on, method, args } satisfies Call);
    return answer.promise;
  }

  private async deliver({ listener, event, position }: Given): Promise<void> {
    await this.listeners[listener]!(event, position);
    this.port.postMessage({ listener, position } satisfies Acknowledged);
  }
}

interface PromiseWithResolvers<Value> {
  promise: Promise<Value>;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

function withResolvers(): PromiseWithResolvers<unknown> {
  let [resolve, reject]: [(value: unknown) => void, (error: unknown) => void] = [
    () => undefined,
    () => undefined,
  ];
  const promise = new Promise<unknown>((...ends) => ([resolve, reject] = ends));
  return { promise, resolve, reject };
}

/**
 * A registry behind a wire: all that goes in and comes out is copied as `structuredClone` does, so that anything but
 * plain data fails.
 *
 * @param carried noted is which methods were called
 */
export function overWire(
  registry: ChordRegistry,
  carried: Set<string>,
): { registry: ChordRegistry; close: () => void } {
  const { port1, port2 } = new MessageChannel();
  serve(registry, port1);
  return { registry: new Client(port2, carried).registry(), close: () => port2.close() };
}
