import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from '../disk/Session';
import type { Message } from '../model/message';

/** The branch of a git project, or `undefined` outside of git. */
function branchOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git');
    if (existsSync(git)) {
      const link = statSync(git).isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1] : git;
      const head = link && existsSync(join(link, 'HEAD')) ? readFileSync(join(link, 'HEAD'), 'utf8') : '';
      return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? '';
    }
    if (at === dirname(at)) return undefined;
  }
}

/** What the main agent and the model have said to each other, kept on disk as it grows. */
export class Conversation {
  messages: Message[] = [];

  constructor(
    public session: Session,
    private readonly project: string,
  ) {}

  append(message: Message): void {
    this.messages.push(message);
    this.session.append(message);
  }

  /** Goes on in another session. */
  moveTo(session: Session, messages: Message[]): void {
    this.session.release();
    this.session = session;
    this.messages = messages;
  }

  /**
   * The messages as the model sees them: a description of the surroundings stands before what people wrote.
   *
   * Not measured: its wording, but for the words that the lab's scenarios look for.
   */
  forModel(role: string, now: Date): Message[] {
    const surroundings: Message[] = [
      { role: 'system', content: `You are Chord, a coding agent. Role: ${role}.` },
      {
        role: 'user',
        content: `<env>\n  Working directory: ${this.project}\n  Today's date: ${now.toDateString()}\n</env>`,
      },
    ];
    const first = this.messages[0];
    if (first?.role !== 'user' || this.messages.some((message) => message.role === 'assistant')) {
      return [...surroundings, ...this.messages];
    }
    const branch = branchOf(this.project);
    const git =
      branch === undefined
        ? 'Is directory a git repo: no'
        : `Is directory a git repo: yes\n  Git branch: ${branch}`;
    return [...surroundings, { ...first, content: `${git}\n\n${first.content}` }, ...this.messages.slice(1)];
  }
}
