import type { Condition, Reply, Scenario, Step } from './scenario';
import type { View } from './view';

/** Whether a condition holds for a text (absent: `undefined`). */
export function matches(condition: Condition | undefined, text: unknown): boolean {
  if (condition === undefined) return true;
  const present = text !== undefined && text !== null && text !== '';
  if (condition === null) return !present;
  const value = present ? String(text) : '';
  if (typeof condition === 'string') return value.includes(condition);
  if (typeof condition === 'number' || typeof condition === 'boolean') return text === condition;
  if (Array.isArray(condition)) return condition.every((part) => matches(part, text));
  if ('re' in condition) return new RegExp(condition.re, condition.flags ?? '').test(value);
  if ('equals' in condition) return text === condition.equals;
  if ('not' in condition) return !matches(condition.not, text);
  if ('any_of' in condition) return condition.any_of.some((part) => matches(part, text));
  throw new Error(`scenario: unusable condition ${JSON.stringify(condition)}`);
}

const TEXT_KEYS = [
  'last_user',
  'last_user_raw',
  'last_tool',
  'tail',
  'any',
  'system',
  'last_role',
  'tool_choice',
];

function holds(when: Record<string, unknown> | undefined, view: View): boolean {
  return Object.entries(when ?? {}).every(([key, condition]) => {
    if (key === 'nth') return view.nth === condition;
    const names = ([] as string[]).concat(condition as string | string[]);
    if (key === 'has_tool') return names.every((name) => view.tools.includes(name));
    if (key === 'no_tool') return !names.some((name) => view.tools.includes(name));
    if (!TEXT_KEYS.includes(key)) throw new Error(`scenario: unknown "when" key ${key}`);
    return matches(condition as Condition, view[key as keyof View]);
  });
}

/** A scenario being played: which steps are used up. */
export class Script {
  private requests = 0;
  private readonly hits = new Map<Step, number>();

  constructor(readonly scenario: Scenario) {}

  /** Numbers the next model request. */
  next(): number {
    this.requests += 1;
    return this.requests;
  }

  /** The answer to a request; an invalid-request error, at which Chord gives up at once, when no step is left. */
  answer(view: View): Reply {
    for (const step of this.scenario.steps) {
      const used = this.hits.get(step) ?? 0;
      if (used >= (step.times === 'any' ? Infinity : (step.times ?? 1))) continue;
      if (holds(step.when, view)) {
        this.hits.set(step, used + 1);
        return step.reply;
      }
      if (this.scenario.ordered) break;
    }
    return (
      this.scenario.on_unmatched ?? {
        status: 400,
        error: {
          message: `mock: no step left for request ${view.nth} (last_user=${(view.last_user ?? '').slice(0, 80)})`,
          type: 'invalid_request_error',
          code: 'mock_unmatched',
        },
      }
    );
  }
}
