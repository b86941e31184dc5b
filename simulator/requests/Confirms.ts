import type { Decision } from '../config/permission';
import type { Base } from '../agent/base';
import { decode, isRecord } from '../wire/json';
import type { Command } from '../wire/command';
import { MAIN_ID } from '../agent/Telling';

/** A call that needs a person's word. */
export interface ConfirmAsk {
  tool: string;
  argumentsJson: string;
  decision: Decision;
  agentId: string;
  signal: AbortSignal;
}

/** What became of it. */
export interface ConfirmAnswer {
  outcome: 'allowed' | 'denied' | 'expired' | 'superseded' | 'cancelled';
  reason: string;
  /** Arguments to run instead of the proposed ones; empty: as proposed. */
  finalArguments: string;
  rule?: { pattern: string; scope: string };
}

/** Not measured: no stored build sends `confirm_resolved`; event, fields and words are from the chat gateway's documentation. */
const RESOLVED: Record<ConfirmAnswer['outcome'], string> = {
  allowed: 'approved',
  denied: 'denied',
  superseded: 'denied',
  expired: 'timeout',
  cancelled: 'cancelled',
};

const SCOPES: Record<string, string> = {
  session: 'session',
  project: 'project',
  user_global: 'user_global',
  'user-global': 'user_global',
  userglobal: 'user_global',
};

/** `reason` and `report` of any call's arguments, as Chord reads them (measured: of a `delete` too). */
function doneFields(argumentsJson: string): { done_report: string; done_reason: string } {
  const parsed = decode(argumentsJson);
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  const args = isRecord(parsed) ? parsed : {};
  return { done_report: text(args.report), done_reason: text(args.reason) };
}

interface Shown {
  fields: Record<string, unknown>;
  id: string;
}

/** Confirmations: one at a time, the next one is told when the former is answered. */
export class Confirms {
  /** What `status` shows. After a timeout it still shows the request where nothing tells that it ended (measured). */
  private shown: Shown | undefined;
  private waiting: { id: string; settle(answer: ConfirmAnswer): void } | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly runtime: Base) {}

  /** Asks, and waits for an answer, the time limit or the end of the turn. */
  ask(ask: ConfirmAsk): Promise<ConfirmAnswer> {
    const answer = this.queue.then(() => this.show(ask));
    this.queue = answer;
    return answer;
  }

  /** A `confirm` command. Only the word `allow` allows; an id that nobody waits for is ignored. */
  command(command: Command): void {
    const rule = this.ruleOf(command);
    if (rule === 'refused') return;
    const allowed = command.action === 'allow';
    this.settle(command.request_id, {
      outcome: allowed ? 'allowed' : 'denied',
      reason: allowed ? '' : command.deny_reason.trim(),
      finalArguments: allowed ? command.final_args_json : '',
      ...(allowed && rule ? { rule } : {}),
    });
    this.hide(command.request_id);
  }

  /** A message comes instead of an answer: the open request is denied without a reason. */
  supersede(): void {
    if (!this.shown) return;
    const { id } = this.shown;
    this.settle(id, { outcome: 'superseded', reason: '', finalArguments: '' });
    this.hide(id);
  }

  /** `idle` ends whatever was still shown. */
  clear(): void {
    this.shown = undefined;
  }

  get open(): boolean {
    return this.shown !== undefined;
  }

  /** As a push, with empty fields left out. */
  field(): Record<string, unknown> | null {
    if (!this.shown) return null;
    return Object.fromEntries(
      Object.entries(this.shown.fields).filter(([, value]) => value !== null && value !== '' && value !== 0),
    );
  }

  private ruleOf(command: Command): { pattern: string; scope: string } | undefined | 'refused' {
    const pattern = command.rule_pattern.trim();
    const scope = command.rule_scope.trim();
    if (!pattern && !scope) return undefined;
    const known = SCOPES[(scope || 'session').toLowerCase()];
    if (pattern && known) return { pattern, scope: known };
    this.runtime.out.refuse(
      pattern
        ? `invalid rule_scope "${scope}" (expected session|project|user_global)`
        : 'confirm rule intent requires non-empty rule_pattern',
    );
    return 'refused';
  }

  private async show(ask: ConfirmAsk): Promise<ConfirmAnswer> {
    const { runtime } = this;
    const id = runtime.newId();
    const timeout = ask.tool === 'done' ? 0 : runtime.place.config.confirmTimeout * 1000;
    const fields = {
      tool_name: ask.tool,
      args_json: ask.argumentsJson,
      request_id: id,
      timeout_ms: timeout,
      needs_approval: ask.decision.needsApproval,
      already_allowed: ask.decision.alreadyAllowed,
      needs_approval_rules: ask.decision.needsApprovalRules,
      already_allowed_rules: ask.decision.alreadyAllowedRules,
      ...doneFields(ask.argumentsJson),
      ...(runtime.profile.roles ? { agent_id: ask.agentId || MAIN_ID } : {}),
    };
    const answer = await this.wait(id, timeout, ask.signal, () => {
      this.shown = { fields, id };
      runtime.out.push('confirm_request', fields);
      runtime.tell.needsUser(`Confirmation required: ${ask.tool}`);
    });
    runtime.record({
      kind: 'confirm',
      request_id: id,
      tool: ask.tool,
      outcome: answer.outcome,
      reason: answer.reason,
      arguments: answer.finalArguments || ask.argumentsJson,
      ...(answer.rule ? { rule: answer.rule } : {}),
    });
    if (runtime.profile.confirmResolved) {
      this.hide(id);
      runtime.out.push('confirm_resolved', { request_id: id, reason: RESOLVED[answer.outcome] });
    }
    return answer;
  }

  private wait(id: string, timeout: number, signal: AbortSignal, tell: () => void): Promise<ConfirmAnswer> {
    const cancelled: ConfirmAnswer = { outcome: 'cancelled', reason: '', finalArguments: '' };
    if (signal.aborted) return Promise.resolve(cancelled);
    return new Promise((resolve) => {
      let stopClock = () => {};
      const settle = (answer: ConfirmAnswer) => {
        stopClock();
        signal.removeEventListener('abort', stop);
        this.waiting = undefined;
        resolve(answer);
      };
      const stop = () => settle(cancelled);
      signal.addEventListener('abort', stop, { once: true });
      if (timeout > 0) {
        stopClock = this.runtime.clock.after(timeout, () =>
          settle({ outcome: 'expired', reason: '', finalArguments: '' }),
        );
      }
      this.waiting = { id, settle };
      tell();
    });
  }

  private settle(id: string, answer: ConfirmAnswer): void {
    if (this.waiting?.id === id) this.waiting.settle(answer);
  }

  private hide(id: string): void {
    if (this.shown?.id === id) this.shown = undefined;
  }
}
