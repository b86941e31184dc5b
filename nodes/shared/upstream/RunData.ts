import type { IExecuteFunctions } from 'n8n-workflow';
import { runIndexOf } from '../execution';

/** How n8n's data proxy gives another node's items. */
interface NodeAccess {
  item: { json: unknown };
  all(output: number, run: number): { json: unknown }[];
}

/** Outputs of our nodes: "Finished" and "Needs Decision"; the trigger has the first only. */
const outputs = [0, 1];

/**
 * What the nodes before this one gave, as `$('Name')` sees it: that way takes any node name, while an expression put
 * together from text breaks at a quote in one (measured).
 */
export class RunData {
  private readonly type: string;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly itemIndex: number,
  ) {
    this.type = context.getNode().type;
  }

  /** The json of every node's item that the incoming item was made from, as far as n8n can tell. */
  ancestors(): unknown[] {
    return this.parents().flatMap(({ name }) => this.guarded(() => [this.access(name).item.json]));
  }

  /**
   * For every node of which the incoming item was made from several items, as a Merge does, the json of all its items:
   * n8n then does not tell which ones (measured).
   */
  several(): unknown[][] {
    return this.parents()
      .filter(({ name }) => this.hasSeveral(name))
      .map(({ name }) => this.allRuns(name));
  }

  /** The json of every item that Chord nodes gave in this execution, this node's earlier runs included. */
  everything(): unknown[] {
    const names = this.parents()
      .filter(({ type }) => this.isOurs(type))
      .map(({ name }) => name);
    return [...new Set([...names, this.context.getNode().name])].flatMap((name) => this.allRuns(name));
  }

  /** What this node itself gave in its earlier runs: `getParentNodes` never lists the node itself (measured). */
  own(): unknown[] {
    return this.allRuns(this.context.getNode().name);
  }

  private hasSeveral(name: string): boolean {
    try {
      void this.access(name).item;
      return false;
    } catch (error) {
      const { context } = error as { context?: { type?: unknown } };
      return context?.type === 'paired_item_multiple_matches';
    }
  }

  private allRuns(name: string): unknown[] {
    const self = name === this.context.getNode().name;
    const end = self ? runIndexOf(this.context, this.itemIndex) : Number.MAX_SAFE_INTEGER;
    const found: unknown[] = [];
    for (let run = 0; run < end; run++) {
      const items = outputs.map((output) =>
        this.guarded(() => this.access(name).all(output, run), undefined),
      );
      if (!self && items.every((list) => list === undefined)) break;
      found.push(...items.flatMap((list) => list ?? []).map(({ json }) => json));
    }
    return found;
  }

  private parents() {
    const { name } = this.context.getNode();
    return this.context.getParentNodes(name).filter((parent) => parent.name !== name);
  }

  /** Our package can be installed under another name, so only the last part of the type is fixed. */
  private isOurs(type: string): boolean {
    return type.startsWith(`${this.type.slice(0, this.type.lastIndexOf('.'))}.chord`);
  }

  private access(name: string): NodeAccess {
    const { $: node } = this.context.getWorkflowDataProxy(this.itemIndex) as {
      $: (name: string) => NodeAccess;
    };
    return node(name);
  }

  private guarded<Value>(read: () => Value[]): Value[];
  private guarded<Value>(read: () => Value[], otherwise: undefined): Value[] | undefined;
  private guarded<Value>(read: () => Value[], ...otherwise: undefined[]): Value[] | undefined {
    try {
      return read();
    } catch {
      // n8n throws for a node that did not run, a run that is not there, and pairing that cannot be followed: for the
      // look-up all of these mean "nothing here".
      return otherwise.length > 0 ? undefined : [];
    }
  }
}
