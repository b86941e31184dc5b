import type { ChordEvent, Deliver, EventFilter, FormOption, ListenOptions } from '../contract';

/** What a filter looks at; the event itself is only built when somebody wants it. */
export interface EventTraits {
  event: string;
  isMain: boolean;
  /** Chord marks it as not worth reporting. */
  suppressed: boolean;
  /** A message without text: only who wants everything gets it. */
  empty?: boolean;
  /** With a request that opens: its id. */
  requestId?: string;
  /** With a `confirm_request`: the tool. */
  tool?: string;
  /** With a prompt: id of the request that it prompts for. Whoever got that request does not need it. */
  promptFor?: string;
}

/** Whether a filter takes an event. Requests pass `mainAgentOnly`: a person has to decide them, whoever asks. */
export function takes(filter: EventFilter, traits: EventTraits): boolean {
  if (filter.events !== 'all' && (traits.empty === true || !filter.events.includes(traits.event)))
    return false;
  if (traits.suppressed && !filter.includeSuppressed) return false;
  if (filter.mainAgentOnly && !traits.isMain && traits.requestId === undefined) return false;
  return traits.tool === undefined || filter.toolNames.length === 0 || filter.toolNames.includes(traits.tool);
}

/** An event that was given to a listener and not acknowledged yet. */
interface Given {
  readonly traits: EventTraits;
  readonly event: ChordEvent;
}

/** What is known of a listener by its id, also while it is away. */
interface Memory {
  /** Request ids that it has been given: a new activation does not get them again. */
  readonly requests: Set<string>;
  /** Of its last event. */
  position: number;
  /** What it was given and has not acknowledged, by position. */
  readonly given: Map<number, Given>;
}

interface Listener {
  readonly options: ListenOptions;
  readonly deliver: Deliver;
  readonly memory: Memory;
}

/** Request ids that are remembered for each listener, so that it gets none twice. */
const rememberedIds = 1000;

/** Events that are kept for a listener until it acknowledges them; one that falls behind further loses the oldest. */
const keptUnacknowledged = 100;

/** A manual test of a trigger takes nothing from its production run: each of them gets every request. */
const nameOf = ({ id, production }: ListenOptions): string => `${production ? 'production' : 'test'} ${id}`;

/** What the listeners need of the session around them. */
export interface ListenersDeps {
  /** The event of a request as a listener gets it; what its form offers is noted. */
  recordOffer(event: ChordEvent, options: readonly FormOption[]): ChordEvent;
  isOpen(requestId: string): boolean;
}

/** Who listens to a session. A listener that throws is counted and keeps its place. */
export class Listeners {
  private readonly listeners = new Set<Listener>();

  private readonly memories = new Map<string, Memory>();

  /** Calls that threw, for diagnostics. */
  failures = 0;

  constructor(private readonly deps: ListenersDeps) {}

  get count(): number {
    return this.listeners.size;
  }

  /**
   * Adds a listener, and gives it what a production listener of its id has not acknowledged. A manual test begins anew.
   *
   * @returns takes it away, once
   */
  add(options: ListenOptions, deliver: Deliver): () => void {
    const memory = this.memoryOf(options);
    const listener = { options, deliver, memory };
    this.listeners.add(listener);
    const given = [...memory.given];
    memory.given.clear();
    for (const [position, { traits, event }] of options.production ? given : []) {
      const isOver = traits.requestId !== undefined && !this.deps.isOpen(traits.requestId);
      if (!isOver) this.call(listener, position, { traits, event });
    }
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Whether an active trigger takes this event; manual tests do not count. */
  isTaken(traits: EventTraits): boolean {
    return [...this.listeners].some(({ options }) => options.production && takes(options.filter, traits));
  }

  /** Gives an event to everybody whose filter takes it. `build` is called once, and only if somebody's does. */
  publish(traits: EventTraits, build: () => ChordEvent): void {
    let event: ChordEvent | undefined;
    for (const listener of this.listeners) {
      if (this.accepts(listener, traits)) {
        event ??= build();
        this.give(listener, traits, event);
      }
    }
  }

  /** Gives it to one listener only, named by the options that it came with: what was open before it came. */
  publishTo(options: ListenOptions, traits: EventTraits, build: () => ChordEvent): void {
    for (const listener of this.listeners) {
      if (listener.options === options && this.accepts(listener, traits)) {
        this.give(listener, traits, build());
      }
    }
  }

  private memoryOf(options: ListenOptions): Memory {
    const name = nameOf(options);
    const memory = this.memories.get(name) ?? { requests: new Set(), position: 0, given: new Map() };
    this.memories.set(name, memory);
    return memory;
  }

  /** Whether it gets the event now; a request is noted as one that it was given. */
  private accepts({ options: { filter }, memory }: Listener, traits: EventTraits): boolean {
    const { promptFor } = traits;
    const repeats = promptFor !== undefined && memory.requests.has(promptFor);
    if (repeats && !filter.includeSuppressed) return false;
    return takes(filter, traits) && noteFirstTime(memory, traits);
  }

  private give(listener: Listener, traits: EventTraits, event: ChordEvent): void {
    const { approvalForm = [] } = listener.options;
    listener.memory.position += 1;
    this.call(listener, listener.memory.position, {
      traits,
      event: traits.requestId === undefined ? event : this.deps.recordOffer(event, approvalForm),
    });
  }

  /** Not ours to handle is what a listener throws: it must not reach another one, nor the reading of stdout. */
  private call(listener: Listener, position: number, given: Given): void {
    const failed = (): void => {
      this.failures += 1;
    };
    try {
      const result = listener.deliver(given.event, position);
      if (!(result instanceof Promise)) return;
      keep(listener.memory, position, given);
      result.then(() => listener.memory.given.delete(position), failed);
    } catch {
      keep(listener.memory, position, given);
      failed();
    }
  }
}

/** False for a request that it was given before. */
function noteFirstTime({ requests }: Memory, { requestId }: EventTraits): boolean {
  if (requestId === undefined) return true;
  if (requests.has(requestId)) return false;
  requests.add(requestId);
  const [oldest] = requests;
  if (requests.size > rememberedIds && oldest !== undefined) requests.delete(oldest);
  return true;
}

function keep({ given }: Memory, position: number, event: Given): void {
  given.set(position, event);
  const [oldest] = given.keys();
  if (given.size > keptUnacknowledged && oldest !== undefined) given.delete(oldest);
}
