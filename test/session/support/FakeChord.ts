import type { Command } from '../../../chord/protocol/commands';
import type { Envelope } from '../../../chord/protocol/envelopes';
import { PROFILES, type Profile, type ProfileName } from '../../../simulator/wire/profile';
import { MemoryTransport } from '../../support/MemoryTransport';

type Payload = Record<string, unknown>;

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>;

/** How a `send` is acknowledged where there are receipts; `none` keeps it unacknowledged. */
export type NextReceipt = 'started' | 'queued' | 'handled' | 'rejected' | 'none';

/** A closed question of protocol C as a status tells it. */
interface Closed {
  request_id: string;
  reason: string;
}

/**
 * The other end of a session: a small Chord of one profile that answers commands from its own state. What it does by
 * itself beyond that (work, requests, `idle`) is pushed by the test, in the order in which the test says it.
 */
export class FakeChord {
  readonly transport: MemoryTransport;

  readonly profile: Profile;

  /** What a `status` tells. A push keeps it up to date. */
  busy = false;
  lastOutcome = '';
  lastError = '';
  runningJobs = 0;
  role = 'builder';
  roles = ['builder', 'reviewer'];
  /** The model pool of the main roles; its status is Chord's own text. */
  pool = 'alpha';
  /** A pool that is set is accepted, but has no effect: as one that does not exist. */
  dropsPool = false;
  pendingConfirm: Payload | null = null;
  pendingHandoff: Payload | null = null;
  questions: Payload[] = [];
  closedQuestions: Closed[] = [];
  /** Extra keys of the next status. */
  statusMore: Payload = {};
  /** What the next statuses tell that a push overtakes: each one is as it was before that push. */
  overtaken: Payload[] = [];
  /** The next `send`'s receipt; only where the profile has them. */
  nextReceipt: NextReceipt = 'started';
  /** Message of the command error that the next command of this type gets instead of being carried out. */
  refusals: Partial<Record<Command['type'], string>> = {};
  /** Replies and reactions wait until {@link FakeChord.answerAll}. */
  mute = false;
  /** Answers to confirms, questions and handoffs have no effect: as if Chord had dropped them. */
  deaf = false;
  /** The next question receipt refuses, with this status and error. */
  refusedReceipt: { status: string; error: string } | undefined;

  private seq = 1;

  private held: (() => void)[] = [];

  constructor(
    profile: ProfileName,
    public sessionId = 'S1',
    ready: Payload = {},
  ) {
    this.profile = PROFILES[profile];
    this.transport = new MemoryTransport(
      { type: 'ready', payload: { session_id: sessionId, ...ready } },
      { command: (command) => this.hear(command) },
    );
  }

  /** Every command so far but the `status` ones, which the session writes between its own. */
  get written(): Command[] {
    return this.transport.written.filter((command) => command.type !== 'status');
  }

  /** Contents of all messages, in order. */
  get messages(): string[] {
    return this.of('send').map((command) => command.content);
  }

  /** All commands of one type. */
  of<T extends Command['type']>(type: T): CommandOf<T>[] {
    return this.transport.written.filter((command) => command.type === type) as CommandOf<T>[];
  }

  /** Pushes an event: numbered where the profile numbers, and its own state follows. */
  push(type: string, payload: Payload = {}): void {
    this.seq += 1;
    this.follow(type, payload);
    this.deliver({ type, payload }, true);
  }

  /** A direct reply or command error: never numbered. */
  reply(type: string, payload: Payload): void {
    this.deliver({ type, payload }, false);
  }

  /** One line as it stands. */
  raw(envelope: Envelope): void {
    this.transport.deliver(envelope);
  }

  /** The agent works: one request to the model. */
  work(agent_id = 'main'): void {
    this.push('activity', { agent_id, type: 'connecting', detail: '' });
    this.push('activity', { agent_id, type: 'streaming', detail: '' });
  }

  /** The main agent says something; with `tools` it goes on. */
  say(text: string, tools = 0): void {
    this.push('assistant_message', {
      agent_id: '',
      agent_type: '',
      parent_agent_id: '',
      task_id: '',
      text,
      tool_calls: tools,
    });
  }

  idle(last_outcome = 'completed', more: Payload = {}): void {
    this.push('idle', {
      last_outcome,
      suppress_user_notification: false,
      ...(this.profile.jobs && { running_jobs: this.runningJobs }),
      ...more,
    });
  }

  /** A whole small turn. */
  turn(text: string): void {
    this.work();
    this.say(text);
    this.idle();
  }

  confirmRequest(request_id: string, more: Payload = {}): void {
    this.push('confirm_request', {
      request_id,
      tool_name: 'shell',
      args_json: '{"command":"git push"}',
      needs_approval: ['git push'],
      already_allowed: null,
      needs_approval_rules: ['*'],
      already_allowed_rules: null,
      timeout_ms: 0,
      done_report: '',
      done_reason: '',
      ...(this.profile.roles && { agent_id: 'main' }),
      ...more,
    });
  }

  questionRequest(request_id: string, more: Payload = {}, type = 'question_request'): void {
    const timing = {
      A: { timeout_ms: 0, default_answer: 'Red' },
      B: {},
      C: {
        version: 1,
        binding_id: 'b1',
        task_id: 'main',
        request_scope_id: 'sc1',
        response_policy: 'user_required',
        timer: 'disabled',
        option_ids: ['red', 'blue'],
      },
    }[this.profile.questions];
    this.push(type, {
      request_id,
      tool_name: 'question',
      header: 'Colour',
      question: 'Red or blue?',
      options: ['Red', 'Blue'],
      option_details: ['warm', 'cold'],
      multiple: false,
      ...timing,
      ...more,
    });
  }

  handoffRequest(request_id: string, more: Payload = {}): void {
    this.push('handoff_request', {
      request_id,
      plan_path: '/p/plan.md',
      plan_text: '# Plan',
      agents: [
        { name: 'builder', default: true, model_pools: ['alpha', 'beta'], current_model_pool: 'alpha' },
        { name: 'helper', default: false, model_pools: ['alpha'], current_model_pool: 'alpha' },
      ],
      ...more,
    });
  }

  /** Lets out what was held while {@link FakeChord.mute} was set. */
  answerAll(): void {
    this.mute = false;
    for (const answer of this.held.splice(0)) answer();
  }

  /** A `status_response` with the state as it is, now. */
  tellStatus(more: Payload = {}, seq = this.seq): void {
    const { profile } = this;
    const payload = {
      session_id: this.sessionId,
      busy: this.busy,
      phase: '',
      phase_detail: '',
      pending_confirm: this.pendingConfirm,
      pending_handoff: this.pendingHandoff,
      ...(profile.questions === 'C'
        ? {
            pending_questions: this.questions,
            questions: [...this.questions, ...this.closedQuestions],
            question_binding_id: 'b1',
            questions_next_after_id: '',
          }
        : { pending_question: this.questions[0] ?? null }),
      last_error: this.lastError,
      last_outcome: this.lastOutcome,
      updated_at: '2030-01-01T00:00:00Z',
      ...(profile.roles && { current_role: this.role }),
      ...(profile.jobs && {
        workdir: { path: '/p', worktree_id: '', generation: 0 },
        running_jobs: this.runningJobs,
      }),
      ...this.statusMore,
      ...more,
    };
    this.deliver({ type: 'status_response', payload }, true, seq);
  }

  private deliver(envelope: Envelope, numbered: boolean, seq = this.seq): void {
    this.transport.deliver(numbered && this.profile.seq ? { ...envelope, seq } : envelope);
  }

  private follow(type: string, payload: Payload): void {
    switch (type) {
      case 'activity':
      case 'assistant_message':
        this.busy = true;
        return;
      case 'confirm_request':
        this.pendingConfirm = payload;
        return;
      case 'question_request':
      case 'question_updated':
        this.questions = [
          ...this.questions.filter((question) => question.request_id !== payload.request_id),
          payload,
        ];
        return;
      case 'handoff_request':
        this.pendingHandoff = payload;
        return;
      case 'idle':
        this.busy = false;
        this.lastOutcome = payload.last_outcome as string;
        this.lastError = '';
        this.pendingConfirm = null;
        if (this.profile.questions !== 'C') this.questions = [];
        return;
      case 'error':
        this.lastError = payload.message as string;
        return;
      case 'session_switched':
        this.sessionId = payload.session_id as string;
    }
  }

  /** Chord answers a little later, in the order of the commands, as a process does. */
  private hear(command: Command): void {
    const react = (): void => this.react(command);
    setImmediate(() => {
      if (this.mute) this.held.push(react);
      else react();
    });
  }

  private react(command: Command): void {
    const refusal = this.refusals[command.type];
    if (refusal !== undefined) {
      this.refusals = { ...this.refusals, [command.type]: undefined };
      this.reply('error', { message: refusal });
      return;
    }
    switch (command.type) {
      case 'status': {
        const late = this.overtaken.shift();
        const { seq } = this;
        if (late) this.work();
        this.tellStatus(late, seq);
        return;
      }
      case 'send': {
        this.receive(command);
        return;
      }
      case 'models': {
        if (command.action === 'set_current_model_pool' && !this.dropsPool) this.pool = command.pool ?? '';
        const status = `Model pool: ${this.pool}\nAgents:\n  helper: ${this.pool} (1 model)`;
        this.reply('models_response', { ok: true, message: 'model pool set', status });
        return;
      }
      case 'role': {
        if (command.action === 'set') this.role = command.role ?? '';
        this.reply('role_response', {
          ok: true,
          message: '',
          role: this.role,
          roles: this.roles.map((name) => ({ name, current: name === this.role })),
        });
        return;
      }
      case 'local_shell': {
        this.reply('local_shell_result', { command: command.command, output: 'out', failed: false });
        return;
      }
      case 'confirm':
        if (this.deaf || this.pendingConfirm?.request_id !== command.request_id) return;
        this.pendingConfirm = null;
        if (this.profile.confirmResolved) {
          this.push('confirm_resolved', {
            request_id: command.request_id,
            reason: command.action === 'allow' ? 'approved' : 'denied',
          });
        }
        return;
      case 'question':
        if (!this.deaf) this.answered(command);
        return;
      case 'handoff':
        if (this.deaf) return;
        if (this.pendingHandoff?.request_id !== command.request_id) {
          this.reply('error', { message: 'no matching pending handoff' });
          return;
        }
        this.pendingHandoff = null;
        return;
      default:
        return;
    }
  }

  private receive(command: CommandOf<'send'>): void {
    if (!this.profile.receipts || this.nextReceipt === 'none') return;
    this.push('input_result', {
      request_id: command.request_id,
      status: this.nextReceipt,
      ...(this.nextReceipt === 'rejected' && { message: 'not now' }),
    });
  }

  private answered(command: CommandOf<'question'>): void {
    const { questions } = this.profile;
    const open = this.questions.find((question) => question.request_id === command.request_id);
    const close = (): void => {
      this.questions = this.questions.filter((question) => question !== open);
    };
    if ('operation_id' in command) {
      const reason = command.action === 'answer' ? 'answered' : 'declined';
      const refused = this.refusedReceipt;
      this.refusedReceipt = undefined;
      const accepted = open !== undefined && !refused;
      if (accepted) {
        close();
        this.closedQuestions.push({ request_id: command.request_id, reason });
        this.push('question_resolved', { ...open, reason });
      }
      this.reply('question_receipt', {
        operation_id: command.operation_id,
        request_id: command.request_id,
        accepted,
        status: accepted ? reason : (refused?.status ?? ''),
        version: accepted ? 2 : 0,
        error: accepted ? '' : (refused?.error ?? 'unknown question'),
      });
      return;
    }
    if (!open) {
      if (questions === 'B') this.reply('error', { message: 'no matching pending question' });
      return;
    }
    close();
    if (questions === 'B') {
      this.push('question_resolved', { request_id: command.request_id, reason: command.reason });
    }
  }
}
