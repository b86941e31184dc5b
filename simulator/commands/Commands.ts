import { receipt } from '../agent/inputs';
import type { MainAgent } from '../agent/MainAgent';
import type { Runtime } from '../agent/runtime';
import { needsTerminal, trimGo } from '../agent/slashText';
import type { Command } from '../wire/command';
import { localShell } from './localShell';
import { models } from './models';
import { role } from './role';
import { tellStatus } from './status';

/** Carries out the commands of stdin, one after the other. */
export class Commands {
  private readonly runtime: Runtime;
  private readonly firstSession: string;

  constructor(private readonly agent: MainAgent) {
    this.runtime = agent.runtime;
    this.firstSession = agent.conversation.session.id;
  }

  /** Runs one; a promise where no other command is read meanwhile. */
  run(command: Command): void | Promise<void> {
    const { runtime, agent } = this;
    switch (command.type) {
      case 'subscribe':
        runtime.out.subscribe(command.events ?? []);
        runtime.out.reply('subscribe_response', { events: command.events });
        return;
      case 'status':
        tellStatus(agent, this.firstSession, command);
        return;
      case 'send':
        this.send(command);
        return;
      case 'models':
        models(agent, command);
        return;
      case 'confirm':
        runtime.confirms.command(command);
        runtime.status.touch();
        return;
      case 'question':
        runtime.questions.command(command);
        runtime.status.touch();
        return;
      case 'handoff':
        runtime.handoffs.command(command);
        return;
      case 'local_shell':
        return localShell(runtime, command);
      case 'cancel':
        agent.turns.cancel();
        runtime.status.cancelled();
        return;
      case 'image_artifact':
        if (!runtime.profile.images) break;
        runtime.images.fetch(command.content, command.request_id);
        return;
      case 'role':
        if (!runtime.profile.roles) break;
        role(agent, command);
        return;
    }
    runtime.out.refuse(`unknown command type: ${command.type}`);
  }

  private send(command: Command): void {
    const { runtime, agent } = this;
    const { slash, turns } = agent;
    const { content, request_id: requestId } = command;
    const text = trimGo(content);
    const input = { content, requestId, fromUser: true };
    if (needsTerminal(text)) {
      const name = text.split(/\s+/)[0];
      const message = `${name} is only available in local TUI mode`;
      receipt(runtime, input, 'rejected', { message });
      runtime.out.refuse(message);
      return;
    }
    if (!text && runtime.profile.receipts) {
      receipt(runtime, input, 'rejected', { message: 'empty input' });
      return;
    }
    // A message comes instead of an answer to whatever is open.
    runtime.confirms.supersede();
    runtime.questions.supersede(slash.isLocal(text));
    runtime.handoffs.supersede();
    const question = runtime.questions.slash(text, requestId);
    if (question === 'done') receipt(runtime, input, 'handled');
    else if (question) {
      receipt(runtime, input, 'rejected', { message: question.problem });
      runtime.tell.toast(question.problem, 'error');
    } else if (slash.runAnyTime(text)) receipt(runtime, input, 'handled');
    else if (turns.busy ? slash.runWhileBusy(text) : slash.runIdle(text)) receipt(runtime, input, 'handled');
    else turns.send(input);
  }
}
