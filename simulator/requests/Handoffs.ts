import { readFileSync } from 'node:fs';
import { roleNamed, type AgentConfig } from '../config/agents';
import type { Base } from '../agent/base';
import type { Command } from '../wire/command';

/** A role that may take over. */
interface Offer {
  name: string;
  default: boolean;
  model_pools?: string[];
  current_model_pool?: string;
}

/** What was decided. */
export type HandoffDecision =
  | { action: 'approve'; planPath: string; callId: string; agent: AgentConfig }
  | { action: 'deny'; planPath: string; callId: string; reason: string }
  | { action: 'cancel'; planPath: string; callId: string; superseded: boolean };

interface Open {
  id: string;
  planPath: string;
  callId: string;
  offers: Offer[];
  fields: Record<string, unknown>;
}

/** Handing a plan to another role. Nobody waits for it: the tool call ends, and the decision begins something new. */
export class Handoffs {
  private current: Open | undefined;

  constructor(
    private readonly runtime: Base,
    private readonly decided: (decision: HandoffDecision) => void,
  ) {}

  get open(): boolean {
    return this.current !== undefined;
  }

  /** Offers the plan to the other main roles. */
  request(planPath: string, callId: string, active: AgentConfig): void {
    const { runtime } = this;
    const offers = [...runtime.place.agents.values()]
      .filter((agent) => agent.mode === 'main' && agent.name !== active.name)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((agent) => ({
        name: agent.name,
        default: agent.name === 'builder',
        model_pools: runtime.pools.poolsOf(agent),
        current_model_pool: runtime.pools.poolOf(agent),
      }));
    const id = runtime.newId();
    const fields = { request_id: id, plan_path: planPath, ...this.plan(planPath), agents: offers };
    this.current = { id, planPath, callId, offers, fields };
    runtime.status.touch();
    runtime.out.push('handoff_request', fields);
    runtime.tell.needsUser('A plan waits for its handoff to be decided');
  }

  /** A `handoff` command. Without `request_id` it takes whatever is open; an empty action approves (measured). */
  command(command: Command): void {
    const { current, runtime } = this;
    if (!current || (command.request_id && command.request_id !== current.id)) {
      runtime.out.refuse('no matching pending handoff');
      return;
    }
    const { planPath, callId } = current;
    switch (command.action.trim()) {
      case '':
      case 'accept':
      case 'allow':
        this.accept(current, command);
        return;
      case 'deny':
      case 'reject': {
        const reason = command.deny_reason.trim() || 'Handoff rejected from headless client.';
        this.close('denied', { reason });
        this.decided({ action: 'deny', planPath, callId, reason });
        return;
      }
      case 'cancel':
        this.close('cancelled', {});
        this.decided({ action: 'cancel', planPath, callId, superseded: false });
        return;
      default:
        runtime.out.refuse(`unsupported handoff action: ${command.action}`);
    }
  }

  /**
   * A message or another turn came first: the plan is dropped.
   *
   * Not measured: `handoff_cancelled`; the measured build drops the plan without a word.
   */
  supersede(): void {
    const { current, runtime } = this;
    if (!current) return;
    this.close('superseded', {});
    this.decided({ action: 'cancel', planPath: current.planPath, callId: current.callId, superseded: true });
    if (!runtime.profile.roles) return;
    // Where pushes are numbered, both the runtime and the command tell it.
    const times = runtime.profile.seq ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      runtime.out.push('handoff_cancelled', { request_id: current.id, reason: 'superseded' });
    }
  }

  field(): Record<string, unknown> | null {
    return this.current?.fields ?? null;
  }

  private accept(current: Open, command: Command): void {
    const { runtime } = this;
    const wanted = command.agent.trim();
    const offer = wanted
      ? current.offers.find((candidate) => candidate.name === wanted)
      : (current.offers.find((candidate) => candidate.default) ?? current.offers[0]);
    if (!offer) {
      runtime.out.refuse(
        wanted
          ? `handoff target "${wanted}" is not available; choose one of the offered agents or cancel`
          : 'no eligible handoff agent',
      );
      return;
    }
    const pool = command.pool.trim();
    const problem = pool ? runtime.pools.setFor(offer.name, pool) : undefined;
    if (problem && runtime.profile.roles) {
      runtime.out.refuse(problem);
      return;
    }
    // The measured build tells the wrong pool and accepts all the same. Not measured: that later builds refuse it.
    if (problem) runtime.tell.error(problem);
    this.close('approved', { agent: offer.name, pool });
    const agent = roleNamed(runtime.place.agents, offer.name);
    this.decided({ action: 'approve', planPath: current.planPath, callId: current.callId, agent });
  }

  private close(
    outcome: 'approved' | 'denied' | 'cancelled' | 'superseded',
    facts: { agent?: string; pool?: string; reason?: string },
  ): void {
    const { current, runtime } = this;
    if (!current) return;
    this.current = undefined;
    runtime.status.touch();
    runtime.record({
      kind: 'handoff',
      request_id: current.id,
      outcome,
      agent: '',
      pool: '',
      reason: '',
      ...facts,
    });
  }

  private plan(path: string): { plan_text: string } | { plan_error: string } {
    try {
      return { plan_text: readFileSync(path, 'utf8') };
    } catch (error) {
      return { plan_error: (error as Error).message };
    }
  }
}
