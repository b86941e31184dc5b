import { Problem } from './Problem';

/** One n8n that the rig can install, and what that release needs beyond its own package. */
export interface N8nRelease {
  version: string;
  /** The range of Node that it runs on; the rig brings its own. */
  node: string;
  /** npm `overrides` without which it cannot be installed from a registry alone. */
  overrides?: Record<string, string>;
  /** Environment variables without which it does not run on that Node. */
  environment?: Record<string, string>;
}

/** The n8n of the demo and of the tests, unless they are told otherwise. */
export const DEFAULT_N8N = '2.40.7';

/** The release lines that the tests run on. Pinned: a release that is some hours old can lack a dependency. */
const LINES: Record<string, string> = { '1.123': '1.123.81', '2.40': DEFAULT_N8N };

/**
 * The full version that is meant by what a person typed: a release line from the list above, or a full version, which
 * is taken as it is. Anything else is a {@link Problem} that names what is known.
 */
export function n8nVersion(asked: string): string {
  const version = Object.hasOwn(LINES, asked) ? LINES[asked] : asked;
  if (version && /^\d+\.\d+\.\d+$/.test(version)) return version;
  throw new Problem(
    `"${asked}" is not a known n8n.`,
    `Known release lines are ${Object.entries(LINES)
      .map(([line, full]) => `${line} (${full})`)
      .join(' and ')}. For any other release, give its full version, as in ${DEFAULT_N8N}.`,
  );
}

/**
 * What a release needs, by its version or release line (measured): n8n 2.38 and later want Node 24. n8n 1 runs on
 * Node 20, takes its spreadsheet library from outside the registry, and its newer expression engine does not run on
 * that Node.
 */
export function n8nRelease(asked: string = DEFAULT_N8N): N8nRelease {
  const version = n8nVersion(asked);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 2 || (major === 2 && minor >= 38)) {
    // It asks n8n's servers for a list of MCP servers at every start.
    return { version, node: '^24.0.0', environment: { N8N_DISABLED_MODULES: 'mcp-registry' } };
  }
  return {
    version,
    node: '^20.19.0',
    ...(major < 2 && { overrides: { xlsx: '0.18.5' } }),
    environment: { N8N_EXPRESSION_ENGINE: 'legacy' },
  };
}
