import type { Runtime } from './runtime';
import { MAIN_ID, type Speaker } from './Telling';

/** Tells what SubAgents report: events for the client, and notes for the main agent. */
export class SubAgentReports {
  constructor(
    private readonly runtime: Runtime,
    private readonly mail: (text: string) => void,
  ) {}

  /** The `notify` tool; gives what the model is told. */
  notify(speaker: Speaker, kind: string, message: string): string {
    this.runtime.out.push('agent_notify', {
      ...speaker,
      parent_task_id: '',
      target_agent_id: MAIN_ID,
      target_task_id: '',
      kind,
      message,
    });
    // Progress alone does not wake the main agent (measured). Not measured: that every other kind does.
    if (kind !== 'progress') this.note(speaker, kind, message);
    return 'Owner coordination chain has been notified. Continue working.';
  }

  /** The `escalate` tool: the SubAgent needs help and rests (measured); gives what the model is told. */
  escalated(speaker: Speaker, reason: string): string {
    this.runtime.tell.toast(reason, 'warn', speaker.agent_id);
    this.note(speaker, 'escalate', reason);
    return 'Escalated to the owner agent.';
  }

  /** Its model gave up (measured). */
  failed(speaker: Speaker, cause: string): void {
    const { tell } = this.runtime;
    const message = `SubAgent failed (llm): ${cause}`;
    this.notify(speaker, 'risk_alert', message);
    tell.error(`SubAgent ${speaker.agent_id} error: ${cause}`);
    tell.toast(message, 'error', speaker.agent_id);
  }

  /** The `complete` tool. */
  done(speaker: Speaker, summary: string): void {
    this.runtime.out.push('agent_done', { ...speaker, parent_task_id: '', summary });
    this.note(speaker, 'completed', summary);
  }

  private note(speaker: Speaker, kind: string, text: string): void {
    this.mail(
      `<system-reminder>\nSubAgent mailbox update:\n- agent_id: ${speaker.agent_id}\n- task_id: ${speaker.task_id}\n` +
        `- kind: ${kind}\n- summary: ${text}\n</system-reminder>`,
    );
  }
}
