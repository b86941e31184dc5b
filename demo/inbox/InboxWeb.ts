import { createServer, type Server, type ServerResponse } from 'node:http';

import type { Mail, Mailbox } from '../../rig/Mailbox';
import { INBOX_PAGE } from './page';

/**
 * A mail is somebody else's HTML: no scripts, nothing is loaded, and it cannot touch the page around it. Its links
 * open in a tab of their own, which is an ordinary one.
 */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'";

const PAGE_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'";

/** The web page of the demo inbox. */
export class InboxWeb {
  readonly #server: Server;
  readonly #listeners = new Set<ServerResponse>();

  private constructor(mailbox: Mailbox, taskForm: string) {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://inbox');
      const mail = mailbox.mails.find((one) => pathname === `/mail/${one.id}`);
      if (pathname === '/') this.#html(response, INBOX_PAGE, PAGE_POLICY);
      else if (pathname === '/mails.json')
        this.#json(response, { taskForm, mails: mailbox.mails.map(summary) });
      else if (pathname === '/events') this.#listen(response);
      else if (mail) this.#html(response, mailPage(mail), MAIL_POLICY);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('This page does not exist.');
    });
    mailbox.onMail(() => {
      for (const listener of this.#listeners) listener.write('data: mail\n\n');
    });
  }

  /** Starts to show the mails of this mailbox on 127.0.0.1; `taskForm` is where a task can be typed. */
  static async open(mailbox: Mailbox, taskForm: string, port: number): Promise<InboxWeb> {
    const web = new InboxWeb(mailbox, taskForm);
    await new Promise<void>((resolve, reject) => {
      web.#server.once('error', reject);
      web.#server.listen(port, '127.0.0.1', resolve);
    });
    return web;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': listening\n\n');
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
  }

  #html(response: ServerResponse, html: string, policy: string): void {
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
      })
      .end(html);
  }

  #json(response: ServerResponse, data: unknown): void {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data));
  }
}

const summary = ({ id, from, to, subject, receivedAt }: Mail) => ({ id, from, to, subject, receivedAt });

/** A mail without HTML is shown as the text it is. */
function mailPage(mail: Mail): string {
  const base = '<base target="_blank">';
  if (/<head[^>]*>/i.test(mail.html)) return mail.html.replace(/<head[^>]*>/i, (head) => head + base);
  if (mail.html) return base + mail.html;
  const text = mail.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<!doctype html><meta charset="utf-8">${base}<pre style="font: 15px/1.6 system-ui, sans-serif; margin: 1.5rem; white-space: pre-wrap; overflow-wrap: anywhere">${text}</pre>`;
}
