import { EventEmitter, on } from 'node:events';

import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** One mail that has arrived. */
export interface Mail {
  /** Counts up from 1 in the order of arrival. */
  id: number;
  from: string;
  to: string;
  subject: string;
  /** What it says, as plain text. */
  text: string;
  /** What it says, as it wants to be shown; empty if it has no such part. */
  html: string;
  /** The addresses that it links to. */
  links: string[];
  receivedAt: Date;
}

/** How long a test or the demo's own round waits for a mail, in milliseconds. */
const ARRIVAL_LIMIT_MS = 60_000;

/** A real SMTP server that takes every mail and keeps it in memory. */
export class Mailbox {
  readonly mails: Mail[] = [];
  readonly #events = new EventEmitter();
  readonly #server: SMTPServer;
  #port = 0;

  private constructor() {
    this.#events.setMaxListeners(0);
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      // Looking up the name of whoever calls from 127.0.0.1 can take seconds.
      disableReverseLookup: true,
      onData: (stream, _session, callback) => {
        simpleParser(stream).then(
          (parsed) => {
            const text = parsed.text ?? '';
            const html = parsed.html === false ? '' : (parsed.html ?? '');
            this.#arrived({
              id: this.mails.length + 1,
              from: parsed.from?.text ?? '',
              to: [parsed.to ?? []]
                .flat()
                .map((address) => address.text)
                .join(', '),
              subject: parsed.subject ?? '',
              text,
              html,
              links: linksOf(html === '' ? text : html),
              receivedAt: new Date(),
            });
            callback();
          },
          (error: unknown) => callback(error as Error),
        );
      },
    });
  }

  /** Starts listening on 127.0.0.1, on a free port unless one is given. */
  static async open(port = 0): Promise<Mailbox> {
    const mailbox = new Mailbox();
    await new Promise<void>((resolve, reject) => {
      mailbox.#server.on('error', reject);
      mailbox.#server.listen(port, '127.0.0.1', resolve);
    });
    const address = mailbox.#server.server.address();
    mailbox.#port = typeof address === 'object' && address ? address.port : port;
    return mailbox;
  }

  get port(): number {
    return this.#port;
  }

  /** What n8n's credential of type `smtp` needs to send mails here. */
  get smtpCredential() {
    return {
      user: '',
      password: '',
      host: '127.0.0.1',
      port: this.#port,
      secure: false,
      disableStartTls: true,
      hostName: '',
    };
  }

  /** Calls back for every mail from now on; gives the way to stop that. */
  onMail(listener: (mail: Mail) => void): () => void {
    this.#events.on('mail', listener);
    return () => this.#events.off('mail', listener);
  }

  /** The first mail that fits, arrived already or still to come; an error after `limitMs`. */
  async waitFor(fits: (mail: Mail) => boolean, limitMs = ARRIVAL_LIMIT_MS): Promise<Mail> {
    const here = this.mails.find(fits);
    if (here) return here;
    const signal = AbortSignal.timeout(limitMs);
    try {
      for await (const [mail] of on(this.#events, 'mail', { signal })) {
        if (fits(mail as Mail)) return mail as Mail;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const subjects = this.mails.map((mail) => `"${mail.subject}"`).join(', ');
    throw new Error(`No such mail within ${limitMs / 1000} s. Arrived: ${subjects || 'none'}`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #arrived(mail: Mail): void {
    this.mails.push(mail);
    this.#events.emit('mail', mail);
  }
}

/** The addresses in a mail, each once, in their order. */
function linksOf(body: string): string[] {
  const found = [...body.matchAll(/https?:\/\/[^\s"'<>]+/g)].map(([link]) => link.replaceAll('&amp;', '&'));
  return [...new Set(found)];
}
