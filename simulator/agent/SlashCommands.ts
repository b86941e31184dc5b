import type { AgentConfig } from '../config/agents';
import type { Memory, Session } from '../disk/Session';
import type { Acting } from './acting';
import { parseLoopOn } from './Loop';
import type { Runtime } from './runtime';
import { isCommand } from './slashText';

const LOOP_USAGE = 'Usage: /loop on [target] [--max-iterations N] | /loop off';

/** Local commands of later builds. Not measured: that they are these, and what they say. */
const LATER = ['/role', '/help', '/stats'];

/** The main agent as slash commands see it. */
export interface Commanded extends Acting {
  /** Whether a loop can be started: the role must be allowed to say `done`. */
  readonly mayLoop: boolean;
  /** Moves to another session in place. */
  switchTo(session: Session, memory: Memory | undefined): void;
  /** Takes another role, with the conversation as it is. */
  takeRole(role: AgentConfig): void;
}

/** The slash commands that Chord does by itself. What is none of them goes to the model as text. */
export class SlashCommands {
  constructor(
    private readonly runtime: Runtime,
    private readonly agent: Commanded,
  ) {}

  /** Whether a text is one of those that run at any time. */
  isLocal(text: string): boolean {
    const names = [
      '/models',
      '/tier',
      '/rename',
      '/yolo',
      '/mcp',
      '/compact',
      ...(this.runtime.profile.roles ? LATER : []),
    ];
    return names.some((name) => isCommand(text, name));
  }

  /** Those that run at any time, also while the agent works. */
  runAnyTime(text: string): boolean {
    const { runtime, agent } = this;
    const { tell } = runtime;
    const after = () => {
      if (!agent.turns.busy) agent.turns.settle();
      return true;
    };
    if (isCommand(text, '/models')) {
      this.models(text.slice('/models'.length).trim());
      return after();
    }
    if (isCommand(text, '/tier')) tell.toast('Usage: /tier standard | /tier fast | /tier slow');
    else if (isCommand(text, '/rename')) {
      const title = text.slice('/rename'.length).trim();
      tell.toast(title ? `Session title set to: ${title}` : 'Session title cleared');
    } else if (isCommand(text, '/yolo')) tell.toast(`YOLO mode ${text.endsWith(' off') ? 'off' : 'on'}`);
    else if (isCommand(text, '/mcp')) tell.info('No MCP servers configured');
    else if (text === '/compact') agent.turns.whenRested(() => this.compact());
    else if (runtime.profile.roles && this.later(text)) return after();
    else return false;
    return after();
  }

  /** Those of `/loop` that work while the agent is busy. */
  runWhileBusy(text: string): boolean {
    return this.loop(text, true);
  }

  /** Those that wait until the agent is idle. */
  runIdle(text: string): boolean {
    if (this.loop(text, false)) return true;
    if (text === '/new') this.switchTo(undefined);
    else if (text.startsWith('/resume ')) this.switchTo(text.slice('/resume '.length).trim());
    else return false;
    return true;
  }

  /** Commands of later builds; earlier ones give them to the model as text. */
  private later(text: string): boolean {
    const { agent, runtime } = this;
    if (isCommand(text, '/role')) {
      const name = text.slice('/role'.length).trim();
      if (!name || name === 'status') {
        runtime.tell.info(`Current role: ${agent.role.name}`);
        return true;
      }
      const role = runtime.place.agents.get(name);
      if (role?.mode !== 'main') runtime.tell.error(`/role: unknown role "${name}"`);
      else {
        agent.takeRole(role);
        runtime.tell.toast(`Role set to: ${name}`);
      }
      return true;
    }
    if (text === '/help')
      runtime.tell.info('Commands: /models, /role, /compact, /loop, /new, /resume, /stats, /help');
    else if (text === '/stats')
      runtime.tell.info(
        `Session ${agent.conversation.session.id}: ${agent.conversation.messages.length} messages`,
      );
    else return false;
    return true;
  }

  private models(argument: string): void {
    const { runtime, agent } = this;
    if (!argument || argument === 'status') {
      runtime.tell.info(runtime.pools.text());
      return;
    }
    const [flag, name, pool, ...rest] = argument.split(/\s+/);
    if (flag !== '--agent') this.setPool(argument);
    else if (!name || !pool || rest.length > 0)
      runtime.tell.error('/models --agent: usage: /models --agent <name> <pool>');
    else {
      const problem = runtime.pools.setFor(name, pool);
      if (problem) runtime.tell.error(problem);
      else agent.turns.quiet.settings();
    }
  }

  /** Sets the pool of the main roles, from `/models POOL` and from the `models` command alike. */
  setPool(pool: string): void {
    const problem = this.runtime.pools.setCurrent(this.agent.role, pool);
    if (problem) this.runtime.tell.error(problem);
    else this.agent.turns.quiet.settings();
  }

  /**
   * The history is never long enough here (measured on a short one).
   *
   * Not measured: `compaction_status`, and a history that is compacted.
   */
  private compact(): void {
    const { runtime, agent } = this;
    const plan = { trigger: 'manual', reason: '', plan_id: runtime.newId(), synthetic: false };
    agent.turns.quiet.stir();
    if (runtime.profile.roles) runtime.out.push('compaction_status', { ...plan, status: 'started' });
    runtime.tell.activity('main', 'compacting', 'context');
    if (runtime.profile.roles) runtime.out.push('compaction_status', { ...plan, status: 'skipped' });
    runtime.tell.info('Not enough history to compact.');
  }

  private loop(text: string, busy: boolean): boolean {
    const { runtime, agent } = this;
    const { tell } = runtime;
    const after = () => {
      if (!busy) agent.turns.settle();
      return true;
    };
    if (text === '/loop off') {
      agent.loop.stop();
      tell.info('Loop disabled.');
      return after();
    }
    if (text !== '/loop' && !isCommand(text, '/loop on')) return false;
    if (!agent.mayLoop) {
      tell.toast('Loop mode requires the Done tool to be available for this role.', 'error');
      return after();
    }
    const wanted = text === '/loop' ? undefined : parseLoopOn(text);
    if (!wanted) {
      tell.toast(LOOP_USAGE, text === '/loop' ? 'info' : 'error');
      return after();
    }
    tell.info(agent.loop.start(wanted.limit));
    if (!busy) agent.turns.work(agent.loop.anchor(wanted.target));
    return true;
  }

  private switchTo(id: string | undefined): void {
    const { runtime, agent } = this;
    try {
      const session = id === undefined ? runtime.sessions.create() : runtime.sessions.resume(id);
      const memory = id === undefined ? undefined : session.recall();
      agent.turns.quiet.stir();
      runtime.tell.toast(
        memory
          ? `Resumed session from ${session.id}: ${memory.messages.length} messages restored`
          : `Started new session ${session.id}`,
      );
      agent.switchTo(session, memory);
    } catch (error) {
      runtime.tell.error((error as Error).message);
    }
    agent.turns.settle();
  }
}
