import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { parsePermission, type Rule } from './permission';
import { StartupError } from './loadConfig';

/** A role that the main agent or a SubAgent can take. */
export interface AgentConfig {
  name: string;
  description: string;
  mode: 'main' | 'subagent';
  /** Names of the model pools it may use; the first is its default. Empty: all of `config.yaml`, by name. */
  pools: string[];
  rules: Rule[];
  prompt: string;
}

const rule = (tool: string, action: Rule['action'], pattern = '*'): Rule => ({ tool, pattern, action });

/**
 * The roles that Chord brings; a file of the same name replaces one.
 *
 * Not measured: their rules are from the sources; recordings were made with a builder from a file.
 */
const BUILT_IN: AgentConfig[] = [
  {
    name: 'builder',
    description: 'General coding role.',
    mode: 'main',
    pools: [],
    rules: [rule('*', 'allow'), rule('handoff', 'deny'), rule('delegate', 'deny'), rule('delete', 'ask')],
    prompt: '',
  },
  {
    name: 'planner',
    description: 'Reads, writes a plan and hands it off.',
    mode: 'main',
    pools: [],
    rules: [
      rule('*', 'deny'),
      ...['read', 'grep', 'glob', 'shell'].map((tool) => rule(tool, 'allow')),
      rule('write', 'allow', '.chord/plans/*'),
      rule('edit', 'allow', '.chord/plans/*'),
      ...['handoff', 'skill', 'question'].map((tool) => rule(tool, 'allow')),
    ],
    prompt: '',
  },
];

function readAgent(file: string): AgentConfig {
  const document = parseDocument(readFileSync(file, 'utf8'));
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new StartupError(`load agents: parse agent ${file}`);
  const text = (key: string) => String(document.get(key) ?? '');
  const pools: unknown = document.get('model_pools')
    ? (document.toJS() as { model_pools: unknown }).model_pools
    : [];
  return {
    name: text('name'),
    description: text('description'),
    mode: text('mode') === 'subagent' ? 'subagent' : 'main',
    pools: ([] as string[]).concat(pools as string[]),
    rules: parsePermission(document.get('permission', true)),
    prompt: text('prompt'),
  };
}

/** A role that exists, because Chord brings it or because it was checked before. */
export function roleNamed(
  agents: Map<string, AgentConfig>,
  name: string,
  otherwise?: AgentConfig,
): AgentConfig {
  const role = agents.get(name) ?? otherwise;
  if (!role) throw new Error(`no role ${name}`);
  return role;
}

/** All roles: built-in ones, then the configuration folder's, then the project's; later ones replace earlier ones of a name. */
export function loadAgents(configHome: string, project: string): Map<string, AgentConfig> {
  const agents = new Map(BUILT_IN.map((agent) => [agent.name, agent]));
  for (const folder of [join(configHome, 'agents'), join(project, '.chord', 'agents')]) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder).filter((entry) => /\.ya?ml$/.test(entry))) {
      const agent = readAgent(join(folder, name));
      agents.set(agent.name, agent);
    }
  }
  return agents;
}
