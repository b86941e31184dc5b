import { join } from 'node:path';
import { loadAgents } from '../../../simulator/config/agents';
import { loadConfig } from '../../../simulator/config/loadConfig';
import { locateProject } from '../../../simulator/disk/locations';
import { registerProject } from '../../../simulator/disk/project';
import { Sessions, type Start } from '../../../simulator/disk/Sessions';
import { Engine } from '../../../simulator/Engine';
import type { RecordEntry } from '../../../simulator/record';
import type { Reply, Scenario, Step } from '../../../simulator/scenario/scenario';
import { profileNamed, type ProfileName } from '../../../simulator/wire/profile';
import { Heard, type Line } from './Heard';
import type { Sandbox } from './lab';
import { ManualClock } from './ManualClock';

/** An engine inside the test, on a clock that only the test moves; sessions are real folders. */
export class Played extends Heard {
  readonly clock = new ManualClock();
  readonly engine: Engine;

  constructor(
    readonly box: Sandbox,
    readonly profile: ProfileName,
    readonly scenario: Scenario,
    start: Start = { how: 'new' },
  ) {
    super();
    const location = locateProject(box.work, box.env);
    const configHome = join(box.home, '.config/chord');
    registerProject(location, this.clock.now());
    const sessions = new Sessions(location.sessionsDir, location.root, () => this.clock.now());
    this.engine = new Engine({
      profile: profileNamed(profile),
      clock: this.clock,
      place: {
        project: box.work,
        configHome,
        config: loadConfig(configHome, box.work),
        agents: loadAgents(configHome, box.work),
      },
      sessions,
      started: sessions.start(start),
      scenario,
      write: (line) => this.raw.push(line),
    });
    this.engine.start();
  }

  /** The session that it began with. */
  get id(): string {
    return this.payloads('ready')[0]!.session_id as string;
  }

  /** Writes one command. */
  tell(command: object): void {
    this.engine.receive(JSON.stringify(command));
  }

  /** Writes a message and gives its id. */
  send(content: string, request_id = `input-${this.raw.length}`): string {
    this.tell({ type: 'send', content, request_id });
    return request_id;
  }

  /** Asks for the status and gives its payload. */
  async status(more: object = {}): Promise<Record<string, unknown>> {
    this.tell({ type: 'status', ...more });
    return (await this.next('status_response')).payload;
  }

  /** Lets everything happen that takes no time. */
  settle(): Promise<void> {
    return this.clock.advance(0);
  }

  /** Entries of the record of one kind. */
  recorded<K extends RecordEntry['kind']>(kind: K): Extract<RecordEntry, { kind: K }>[] {
    return this.engine.record.filter((entry) => entry.kind === kind) as Extract<RecordEntry, { kind: K }>[];
  }

  /** Ends it and begins again in the same session. */
  restarted(): Played {
    this.engine.stop('restart');
    return new Played(this.box, this.profile, this.scenario, { how: 'resume', id: this.id });
  }
}

/** A scenario of replies by the newest message (a part of it) or by the newest tool result (`tool: …`). */
export function scripted(replies: Record<string, Reply>): Scenario {
  const steps = Object.entries(replies).map(([on, reply]): Step => {
    const tool = /^tool: (.*)$/.exec(on)?.[1];
    return {
      times: 'any',
      reply,
      when:
        tool !== undefined ? { last_tool: tool, last_role: 'tool' } : { last_user: on, last_role: 'user' },
    };
  });
  return { name: 'scripted', steps };
}

/** A reply that calls one tool. */
export const call = (name: string, args: unknown, text = ''): Reply => ({
  text,
  tool_calls: [{ name, args }],
});

/** The `seq` of each push, in order. */
export const seqs = (lines: Line[]): number[] =>
  lines.flatMap((line) => (line.seq === undefined ? [] : [line.seq]));
