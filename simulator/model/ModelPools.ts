import type { AgentConfig } from '../config/agents';
import type { Config, Provider } from '../config/loadConfig';

const NO_PROVIDER: Provider = { url: '', backoff: 'exponential', delay: 1000 };

/** The provider of a model reference (`provider/model`). */
export const providerOf = (modelRef: string): string => modelRef.replace(/\/.*$/, '');

/** Which pool of models each role uses. */
export class ModelPools {
  private current = '';
  private readonly fixed = new Map<string, string>();

  constructor(
    private readonly agents: Map<string, AgentConfig>,
    private readonly config: Config,
  ) {}

  /** The pools that a role may use; a role that names none may use all, by name. */
  poolsOf(agent: AgentConfig): string[] {
    return agent.pools.length > 0 ? agent.pools : Object.keys(this.config.pools).sort();
  }

  /** The pool that a role uses now. */
  poolOf(agent: AgentConfig): string {
    const pools = this.poolsOf(agent);
    const fixed = this.fixed.get(agent.name);
    if (fixed && pools.includes(fixed)) return fixed;
    if (agent.mode === 'main' && pools.includes(this.current)) return this.current;
    return pools[0] ?? '';
  }

  /** The model (`provider/model`) that a role uses now. */
  modelOf(agent: AgentConfig): string {
    return this.config.pools[this.poolOf(agent)]?.[0] ?? '';
  }

  /** How the model of a role is reached. */
  providerOf(agent: AgentConfig): Provider {
    return this.config.providers[providerOf(this.modelOf(agent))] ?? NO_PROVIDER;
  }

  /** Sets the pool of the main roles. Gives what is wrong, if anything. */
  setCurrent(agent: AgentConfig, pool: string): string | undefined {
    if (!this.poolsOf(agent).includes(pool))
      return `/models: agent "${agent.name}" does not define pool "${pool}"`;
    this.current = pool;
    return undefined;
  }

  /** Sets the pool of one role for good. Gives what is wrong, if anything. */
  setFor(name: string, pool: string): string | undefined {
    const agent = this.agents.get(name);
    if (!agent) return `/models: unknown agent "${name}"`;
    if (!this.poolsOf(agent).includes(pool)) return `/models: agent "${name}" does not define pool "${pool}"`;
    this.fixed.set(name, pool);
    return undefined;
  }

  /** The status text, as `/models` and the `models` command show it. */
  text(): string {
    const byName = [...this.agents.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const lines = [`Model pool: ${this.current}`];
    if (this.fixed.size > 0) {
      lines.push('Fixed agent pools:', ...[...this.fixed].sort().map(([name, pool]) => `  ${name}: ${pool}`));
    }
    lines.push('', 'Agent effective pools:');
    for (const agent of byName) {
      const pool = this.poolOf(agent);
      const count = this.config.pools[pool]?.length ?? 0;
      lines.push(pool ? `  ${agent.name}: ${pool} (${count} model(s))` : `  ${agent.name}: (no pool)`);
    }
    return `${lines.join('\n')}\n`;
  }
}
