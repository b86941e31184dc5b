import { receipt } from './agent/inputs';
import type { MainAgent } from './agent/main';
import { roleNamed } from './config/agents';
import type { Place } from './agent/base';
import type { Runtime } from './agent/runtime';
import { handled, needsTerminal, trimGo, type SlashCommands } from './agent/slash';
import { runShell } from './tools/shell';
import type { Command } from './wire/command';

/** Longest a `local_shell` may take, in seconds, and how much of its output is shown. */
const LOCAL_SHELL = { seconds: 120, maxBytes: 512 * 1024 };

/** Carries out the commands of stdin, one after the other. */
export class Commands {
  /** Builds without `session_switched` say the first session to the end (measured). */
  private readonly firstSession: string;

  constructor(
    private readonly runtime: Runtime,
    private readonly agent: MainAgent,
    private readonly slash: SlashCommands,
  ) {
    this.firstSession = agent.conversation.session.id;
    agent.onCommand = (text) => void (slash.runAnyTime(text) || slash.runIdle(text));
  }

  /** The session that a `status` names. */
  get sessionId(): string {
    return this.runtime.profile.switching ? this.agent.conversation.session.id : this.firstSession;
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
        this.status(command);
        return;
      case 'send':
        this.send(command);
        return;
      case 'models':
        this.models(command);
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
        return this.localShell(command);
      case 'cancel':
        agent.cancel();
        runtime.status.cancelled();
        return;
      case 'image_artifact':
        if (!runtime.profile.images) break;
        runtime.images.fetch(command.content, command.request_id);
        return;
      case 'role':
        if (!runtime.profile.roles) break;
        this.role(command);
        return;
    }
    runtime.out.refuse(`unknown command type: ${command.type}`);
  }

  private status(command: Command): void {
    const { runtime, agent } = this;
    const { profile, place } = runtime;
    const questions = runtime.questions.statusFields(command);
    if (typeof questions === 'string') {
      runtime.out.refuse(questions);
      return;
    }
    runtime.out.snapshot('status_response', {
      session_id: this.sessionId,
      ...runtime.status.fields(),
      pending_confirm: runtime.confirms.field(),
      pending_handoff: runtime.handoffs.field(),
      ...questions,
      ...(profile.roles ? { current_role: agent.role.name } : {}),
      ...(profile.jobs ? { workdir: workdirOf(place), running_jobs: agent.runningJobs } : {}),
    });
  }

  private send(command: Command): void {
    const { runtime, agent, slash } = this;
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
    if (question === 'done') handled(runtime, content, requestId);
    else if (question) {
      receipt(runtime, input, 'rejected', { message: question.problem });
      runtime.tell.toast(question.problem, 'error');
    } else if (slash.runAnyTime(text)) handled(runtime, content, requestId);
    else if (agent.busy ? slash.runWhileBusy(text) : slash.runIdle(text))
      handled(runtime, content, requestId);
    else agent.send(input);
  }

  private models(command: Command): void {
    const { runtime } = this;
    const answer = (ok: boolean, more: object) => runtime.out.reply('models_response', { ok, ...more });
    switch (command.action.trim()) {
      case '':
      case 'status':
        answer(true, { status: runtime.pools.text() });
        return;
      case 'set_current_model_pool': {
        const pool = command.pool.trim();
        if (!pool) {
          answer(false, { message: 'models set_current_model_pool requires pool' });
          return;
        }
        // It says that it worked, with the status before, and only then tries (measured).
        answer(true, { message: 'model pool set', status: runtime.pools.text() });
        this.slash.setPool(pool);
        if (!this.agent.busy) this.agent.settle();
        return;
      }
      default:
        answer(false, { message: `unsupported models action: ${command.action}` });
    }
  }

  private role(command: Command): void {
    const { runtime, agent } = this;
    const answer = (ok: boolean, more: object) => runtime.out.reply('role_response', { ok, ...more });
    const mains = [...runtime.place.agents.values()]
      .filter(({ mode }) => mode === 'main')
      .map(({ name }) => name);
    const first = ['builder', 'planner'].filter((name) => mains.includes(name));
    const names = [...first, ...mains.filter((name) => !first.includes(name)).sort()];
    if (command.action === 'list') {
      answer(true, { roles: names.map((name) => ({ name, current: name === agent.role.name })) });
      return;
    }
    if (command.action !== 'set') {
      answer(false, { message: `unsupported role action: ${command.action}` });
      return;
    }
    const name = command.role.trim();
    const problem = runtime.handoffs.open
      ? 'a handoff is waiting; decide it first'
      : name === agent.role.name
        ? `role "${name}" is already active`
        : names.includes(name)
          ? undefined
          : `unknown role "${name}"`;
    if (problem) {
      answer(false, { message: problem });
      return;
    }
    answer(true, { message: 'role set', role: name });
    agent.takeRole(roleNamed(runtime.place.agents, name));
    if (!agent.busy) agent.settle();
  }

  private async localShell(command: Command): Promise<void> {
    const { runtime } = this;
    const line = command.command.trim() || command.content.trim();
    const answer = (output: string, error: string) =>
      runtime.out.reply('local_shell_result', {
        command: line,
        output,
        failed: error !== '',
        ...(error ? { error } : {}),
      });
    if (!line) {
      answer('', 'empty local shell command');
      return;
    }
    runtime.record({ kind: 'local_shell', command: line });
    const options = { cwd: runtime.place.project, env: process.env, ...LOCAL_SHELL };
    const { output, code, signal, problem } = await runShell(line, options);
    answer(output, problem || (signal ? `signal: ${signal}` : code ? `exit status ${code}` : ''));
  }
}

/** The `workdir` object of later builds. */
export function workdirOf(place: Place): object {
  return { path: place.project, worktree_id: place.worktree?.name ?? '', generation: 0 };
}
