import type { IExecuteFunctions } from 'n8n-workflow';
import { runIndexOf } from '../run/execution';

/** How n8n's data proxy gives another node's items. */
interface NodeAccess {
  item: { json: unknown };
  all(output: number, run: number): { json: unknown }[];
}

/** What n8n's pairing of items leads to. */
interface Paired {
  /** The json of the one item of a node. */
  one: unknown[];
  /** The json of all items of a node of which several are paired. */
  several: unknown[][];
}

/** Outputs of our nodes: "Finished" and "Needs Decision"; the trigger has the first only. */
const outputs = [0, 1];

/**
 * What the nodes before this one gave, as `$('Name')` sees it: that way takes any node name, while an expression put
 * together from text breaks at a quote in one (measured).
 */
export class RunData {
  private readonly type: string;

  private found: Paired | undefined;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly itemIndex: number,
  ) {
    this.type = context.getNode().type;
  }

  /** The json of every node's item that the incoming item was made from, as far as n8n can tell. */
  ancestors(): unknown[] {
    return this.paired().one;
  }

  /**
   * For every node of which the incoming item was made from several items, as a Merge does, the json of all its items:
   * n8n then does not say which ones (measured).
   */
  several(): unknown[][] {
    return this.paired().several;
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

  /** Follows n8n's pairing to every parent, once: it does not change while the node runs. */
  private paired(): Paired {
    if (this.found) return this.found;
    const found: Paired = { one: [], several: [] };
    for (const { name } of this.parents()) {
      try {
        found.one.push(this.access(name).item.json);
      } catch (error) {
        // Any other error means that no item of this node is on the line, or that n8n cannot tell.
        const { context } = error as { context?: { type?: unknown } };
        if (context?.type === 'paired_item_multiple_matches') found.several.push(this.allRuns(name));
      }
    }
    this.found = found;
    return found;
  }

  private allRuns(name: string): unknown[] {
    const runs = Array.from({ length: this.runsOf(name) }, (_, run) => run);
    return runs
      .flatMap((run) => outputs.flatMap((output) => this.runItems(name, output, run)))
      .map(({ json }) => json);
  }

  /**
   * How often a node has run. Known beforehand, since asking run by run until n8n has none has no end: in a manual run
   * it gives a node's pinned data for every run and output that it does not find (measured). Pinned data without a run,
   * which a partial run can have, counts as one.
   */
  private runsOf(name: string): number {
    if (name === this.context.getNode().name) return runIndexOf(this.context, this.itemIndex);
    const { $node: nodes } = this.context.getWorkflowDataProxy(this.itemIndex) as {
      $node: Record<string, { runIndex?: unknown }>;
    };
    const last = nodes[name]?.runIndex;
    return typeof last === 'number' ? Math.max(last + 1, 1) : 1;
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

  /** The items of one run; none for a node that did not run, or has no such output, for which n8n throws. */
  private runItems(name: string, output: number, run: number): { json: unknown }[] {
    try {
      return this.access(name).all(output, run);
    } catch {
      return [];
    }
  }
}
