import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from '../../chord/protocol/commands';
import type { Envelope } from '../../chord/protocol/envelopes';
import { temporaryFolder } from './temporaryFolder';
import { until } from './until';

/** How a played process begins: with `ready`, with nothing, or by ending at once. */
export type Opening = 'ready' | 'silent' | { exit: number; stderr: string };

/** One process of `test/fixtures/played.mjs`, played by the test. */
export class PlayedChord {
  /** Every command that it got, but `status`, which it answers by itself. */
  readonly got: Command[] = [];

  private pendingConfirm: Record<string, unknown> | null = null;

  constructor(
    readonly pid: number,
    readonly args: string[],
    readonly sessionId: string,
    private readonly socket: Socket,
  ) {}

  /** Takes one command in. */
  hear(command: Command): void {
    if (command.type === 'status') {
      this.say('status_response', {
        session_id: this.sessionId,
        busy: false,
        pending_confirm: this.pendingConfirm,
        pending_question: null,
        pending_handoff: null,
        last_outcome: '',
        last_error: '',
      });
      return;
    }
    this.got.push(command);
    if (command.type === 'confirm' && command.request_id === this.pendingConfirm?.request_id) {
      this.pendingConfirm = null;
    }
  }

  /** Writes one envelope to its stdout. */
  say(type: string, payload: Record<string, unknown> = {}): void {
    this.tell({ write: { type, payload } satisfies Envelope });
  }

  /** Asks for an approval. */
  confirmRequest(id: string): void {
    this.pendingConfirm = { request_id: id, tool_name: 'shell', args_json: '{}', timeout_ms: 0 };
    this.say('confirm_request', this.pendingConfirm);
  }

  questionRequest(id: string): void {
    this.say('question_request', { request_id: id, question: 'Which?', options: ['A'], timeout_ms: 0 });
  }

  idle(): void {
    this.pendingConfirm = null;
    this.say('idle', { last_outcome: 'completed', suppress_user_notification: false });
  }

  /** A whole turn. */
  turn(text: string): void {
    this.say('activity', { agent_id: 'main', type: 'streaming', detail: '' });
    this.say('assistant_message', { agent_id: '', text, tool_calls: 0 });
    this.idle();
  }

  /** Kills it, as the system would. */
  kill(): void {
    process.kill(this.pid, 'SIGKILL');
  }

  tell(message: { write?: Envelope; exit?: number; stderr?: string }): void {
    this.socket.write(`${JSON.stringify(message)}\n`);
  }
}

const open: Stage[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((stage) => stage.close()));
});

/** Plays every Chord process that is started with its {@link Stage.environment}, in this test process. */
export class Stage {
  /** In the order in which they were started. */
  readonly chords: PlayedChord[] = [];

  /** For the next processes, in order; without one they come up. */
  readonly openings: Opening[] = [];

  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly socketPath: string,
  ) {}

  static async open(): Promise<Stage> {
    const socketPath = path.join(temporaryFolder(), 'stage');
    const stage: Stage = new Stage(
      createServer((socket) => stage.meet(socket)),
      socketPath,
    );
    stage.server.listen(socketPath);
    await once(stage.server, 'listening');
    open.push(stage);
    return stage;
  }

  /** The program to start. */
  readonly command = path.join(__dirname, '..', 'fixtures', 'played.mjs');

  /** What its processes need, for the credential. */
  get environment(): { name: string; value: string }[] {
    return [{ name: 'CHORD_TEST_SOCKET', value: this.socketPath }];
  }

  /** The process that was started at that place, once it is there; the last one without a number. */
  chord(number = this.chords.length): Promise<PlayedChord> {
    return until(() => this.chords[number - 1], { what: `Chord number ${number}`, limitMs: 20_000 });
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private meet(socket: Socket): void {
    this.sockets.add(socket);
    let chord: PlayedChord | undefined;
    const lines = createInterface({ input: socket });
    // A process that was killed resets its connection; the interface passes the socket's error on.
    for (const emitter of [socket, lines]) emitter.on('error', () => undefined);
    lines.on('line', (line) => {
      const message = JSON.parse(line) as { got: Command } | { pid: number; args: string[] };
      if ('got' in message) chord?.hear(message.got);
      else chord = this.begin(message.pid, message.args, socket);
    });
  }

  private begin(pid: number, args: string[], socket: Socket): PlayedChord {
    const resumed = args.includes('-r') ? args[args.indexOf('-r') + 1] : undefined;
    const chord = new PlayedChord(pid, args, resumed ?? `S${this.chords.length + 1}`, socket);
    this.chords.push(chord);
    const opening = this.openings.shift() ?? 'ready';
    if (opening === 'ready') chord.say('ready', { session_id: chord.sessionId });
    else if (opening !== 'silent') chord.tell(opening);
    return chord;
  }
}
