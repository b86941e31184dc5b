import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, isScalar, parseDocument } from 'yaml';
import type { AgentConfig } from './agents';
import type { Rule } from './permission';

/** The rules in force: a role's own, and those that were added by confirmations since. */
export class Rulebook {
  private readonly added = new Map<string, Rule[]>();

  constructor(
    private readonly folders: { project: string; user_global: string },
    private readonly agents: Map<string, AgentConfig>,
  ) {}

  /** Rules of a role, the strongest last. */
  of(role: string): Rule[] {
    return [...(this.agents.get(role)?.rules ?? []), ...(this.added.get(role) ?? [])];
  }

  /** Allows a pattern for one tool: for this session, or for good in an agent file. Gives the file. */
  allow(role: string, tool: string, pattern: string, scope: string): string | undefined {
    this.added.set(role, [...(this.added.get(role) ?? []), { tool, pattern, action: 'allow' }]);
    if (scope !== 'project' && scope !== 'user_global') return undefined;
    const file = join(this.folders[scope], 'agents', `${role}.yaml`);
    this.save(file, role, tool, pattern);
    return file;
  }

  /** A session's additions end with it. */
  forgetSession(): void {
    this.added.clear();
  }

  private save(file: string, role: string, tool: string, pattern: string): void {
    const source = existsSync(file) ? readFileSync(file, 'utf8') : this.whole(role);
    const document = parseDocument(source);
    const permission = document.get('permission', true);
    const own = isMap(permission) ? permission.get(tool, true) : undefined;
    if (isScalar(own)) document.setIn(['permission', tool], { '*': own.value });
    document.setIn(['permission', tool, pattern], 'allow');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, document.toString());
  }

  /**
   * A project file replaces the role's other file whole, so it begins as a copy of it.
   *
   * Not measured: what else Chord writes into it; the toast names the file, no recording holds its text.
   */
  private whole(role: string): string {
    const general = join(this.folders.user_global, 'agents', `${role}.yaml`);
    if (existsSync(general)) return readFileSync(general, 'utf8');
    const agent = this.agents.get(role);
    const permission: Record<string, unknown> = {};
    for (const rule of agent?.rules ?? []) {
      if (rule.pattern === '*') permission[rule.tool] = rule.action;
      else permission[rule.tool] = { ...(permission[rule.tool] as object), [rule.pattern]: rule.action };
    }
    return JSON.stringify({
      name: role,
      description: agent?.description ?? '',
      mode: agent?.mode ?? 'main',
      permission,
    });
  }
}
