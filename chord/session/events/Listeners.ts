import type { ChordEvent, EventFilter, FormOption, ListenOptions } from '../contract';

/** What a filter looks at; the event itself is only built when somebody wants it. */
export interface EventTraits {
  event: string;
  isMain: boolean;
  /** Chord marks it as not worth telling. */
  suppressed: boolean;
  /** A message without text: only who wants everything gets it. */
  empty?: boolean;
  /** With a request that opens: its id. */
  requestId?: string;
  /** With a `confirm_request`: the tool. */
  tool?: string;
  /** With a prompt: id of the request that it prompts for. Whoever was told of that request does not need it. */
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

interface Listener {
  readonly options: ListenOptions;
  readonly call: (event: ChordEvent) => void;
}

/** Request ids that are remembered for each listener, so that none is told twice. */
const rememberedIds = 1000;

/** A manual test of a trigger takes nothing from its production run: each of them is told by itself. */
const memoryOf = ({ id, production }: ListenOptions): string => `${production ? 'production' : 'test'} ${id}`;

/** Who listens to a session. A listener that throws is counted and keeps its place. */
export class Listeners {
  private readonly listeners = new Set<Listener>();

  /** @param handOut what a listener gets of a request, by what its form shall offer */
  constructor(
    private readonly handOut: (event: ChordEvent, options: readonly FormOption[]) => ChordEvent = (event) =>
      event,
  ) {}

  /** By {@link memoryOf}, also while the listener is away: a new activation is not told again. */
  private readonly told = new Map<string, Set<string>>();

  /** Calls that threw, for diagnostics. */
  failures = 0;

  get count(): number {
    return this.listeners.size;
  }

  /** Adds a listener; the returned function takes it away, once. */
  add(options: ListenOptions, call: (event: ChordEvent) => void): () => void {
    const listener = { options, call };
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Whether an active trigger takes this event; manual tests do not count. */
  isTaken(traits: EventTraits): boolean {
    return [...this.listeners].some(({ options }) => options.production && takes(options.filter, traits));
  }

  /** Tells everybody whose filter takes the event. `build` is called once, and only if somebody does. */
  publish(traits: EventTraits, build: () => ChordEvent): void {
    let event: ChordEvent | undefined;
    for (const listener of this.listeners) {
      if (this.wants(listener, traits)) {
        event ??= build();
        this.give(listener, traits, event);
      }
    }
  }

  /** Tells one listener only, named by the options that it came with: what was open before it came. */
  publishTo(options: ListenOptions, traits: EventTraits, build: () => ChordEvent): void {
    for (const listener of this.listeners) {
      if (listener.options === options && this.wants(listener, traits)) {
        this.give(listener, traits, build());
      }
    }
  }

  private wants(listener: Listener, traits: EventTraits): boolean {
    const { filter } = listener.options;
    const { promptFor } = traits;
    const repeats = promptFor !== undefined && this.toldTo(listener).has(promptFor);
    if (repeats && !filter.includeSuppressed) return false;
    return takes(filter, traits) && this.firstTime(listener, traits);
  }

  private toldTo({ options }: Listener): Set<string> {
    const key = memoryOf(options);
    const told = this.told.get(key) ?? new Set<string>();
    this.told.set(key, told);
    return told;
  }

  private firstTime(listener: Listener, { requestId }: EventTraits): boolean {
    if (requestId === undefined) return true;
    const told = this.toldTo(listener);
    if (told.has(requestId)) return false;
    told.add(requestId);
    const [oldest] = told;
    if (told.size > rememberedIds && oldest !== undefined) told.delete(oldest);
    return true;
  }

  private give(listener: Listener, { requestId }: EventTraits, event: ChordEvent): void {
    const { approvalForm = [] } = listener.options;
    this.call(listener, requestId === undefined ? event : this.handOut(event, approvalForm));
  }

  private call({ call: tell }: Listener, event: ChordEvent): void {
    // Typed as returning nothing, but an asynchronous function fits that type too.
    const call = tell as (event: ChordEvent) => unknown;
    // Not ours to handle: one listener's fault must not reach another one, nor the reading of stdout.
    const failed = (): void => {
      this.failures += 1;
    };
    try {
      const result = call(event);
      if (result instanceof Promise) result.catch(failed);
    } catch {
      failed();
    }
  }
}
