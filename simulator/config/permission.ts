import { isMap, isScalar } from 'yaml';
import { isRecord, decode } from '../wire/json';
import { shellParts } from './shellParts';

/** What a rule says about a call. */
type Action = 'allow' | 'ask' | 'deny';

/** One rule: tool name and argument as globs. */
export interface Rule {
  tool: string;
  pattern: string;
  action: Action;
}

/** What the rules say about one call, and which parts and rules made them say so (`null` where Chord lists none). */
export interface Decision {
  action: Action;
  needsApproval: string[] | null;
  needsApprovalRules: string[] | null;
  alreadyAllowed: string[] | null;
  alreadyAllowedRules: string[] | null;
}

/** Globs know `*` and `?`; a trailing ` *` is optional, so that `git tag *` covers `git tag`. */
export function globMatches(pattern: string, text: string): boolean {
  let source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  if (source.endsWith(' .*')) source = `${source.slice(0, -3)}( .*)?`;
  return new RegExp(`^${source}$`, 's').test(text);
}

/** Reads the ordered `permission` map of an agent file; the last rule that matches wins. */
export function parsePermission(node: unknown): Rule[] {
  if (isScalar(node)) return [{ tool: '*', pattern: '*', action: node.value as Action }];
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => {
    const tool = String(isScalar(key) ? key.value : key);
    if (isScalar(value)) return [{ tool, pattern: '*', action: value.value as Action }];
    if (!isMap(value)) return [];
    return value.items.map((item) => ({
      tool,
      pattern: String(isScalar(item.key) ? item.key.value : item.key),
      action: (isScalar(item.value) ? item.value.value : 'deny') as Action,
    }));
  });
}

/** Whether no call of this tool can be allowed: such a tool is not offered to the model. */
export function isDisabled(rules: Rule[], tool: string): boolean {
  const last = rules.findLast((rule) => globMatches(rule.tool, tool));
  return last !== undefined && last.pattern === '*' && last.action === 'deny';
}

function lastMatch(rules: Rule[], tool: string, argument: string): Rule | undefined {
  return rules.findLast((rule) => globMatches(rule.tool, tool) && globMatches(rule.pattern, argument));
}

const plain = (action: Action): Decision => ({
  action,
  needsApproval: null,
  needsApprovalRules: null,
  alreadyAllowed: null,
  alreadyAllowedRules: null,
});

const orNull = (values: string[]) => (values.length > 0 ? values : null);

/** One part of a call and the rule that speaks about it. */
interface Part {
  argument: string;
  rule: Rule;
}

/** Several parts of one call: one denied part denies the call, one that asks makes the call ask. */
function aggregate(parts: { argument: string; rule: Rule | undefined }[], listRules = true): Decision {
  const ruled = parts.filter((part): part is Part => part.rule !== undefined && part.rule.action !== 'deny');
  if (ruled.length < parts.length) return plain('deny');
  const asked = ruled.filter(({ rule }) => rule.action === 'ask');
  const allowed = ruled.filter(({ rule }) => rule.action === 'allow');
  const rulesOf = (list: Part[]) =>
    listRules ? orNull([...new Set(list.map(({ rule }) => rule.pattern))]) : null;
  return {
    action: asked.length > 0 ? 'ask' : 'allow',
    needsApproval: orNull(asked.map((part) => part.argument)),
    needsApprovalRules: rulesOf(asked),
    alreadyAllowed: orNull(allowed.map((part) => part.argument)),
    alreadyAllowedRules: rulesOf(allowed),
  };
}

/** The argument that rules of a tool are matched on. */
function argumentOf(tool: string, args: Record<string, unknown>): string {
  const key = {
    shell: 'command',
    spawn: 'command',
    write: 'path',
    edit: 'path',
    read: 'path',
    delegate: 'agent_type',
    skill: 'name',
  }[tool];
  const value = key ? args[key] : undefined;
  return typeof value === 'string' && value.trim() ? value.trim() : '*';
}

/** Judges one call. `shell` is judged by its sub-commands, `delete` by its paths, everything else by one argument. */
export function judge(rules: Rule[], tool: string, argumentsJson: string): Decision {
  const parsed = decode(argumentsJson);
  const args = isRecord(parsed) ? parsed : {};
  const ruled = (argument: string) => ({ argument, rule: lastMatch(rules, tool, argument) });
  if (tool === 'shell' && typeof args.command === 'string' && args.command.trim()) {
    const whole = args.command.trim();
    const exact = rules.findLast((rule) => globMatches(rule.tool, tool) && rule.pattern === whole);
    return aggregate(exact ? [{ argument: whole, rule: exact }] : shellParts(whole).map(ruled));
  }
  if (tool === 'delete' && Array.isArray(args.paths) && args.paths.length > 0) {
    return aggregate(args.paths.map(String).sort().map(ruled), false);
  }
  const action = lastMatch(rules, tool, argumentOf(tool, args))?.action ?? 'deny';
  // Not measured: that a question which the rules want to ask about is asked at once.
  return plain(tool === 'question' && action === 'ask' ? 'allow' : action);
}
