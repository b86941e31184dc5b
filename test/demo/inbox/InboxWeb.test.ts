import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';

import { InboxWeb } from '../../../demo/inbox/InboxWeb';
import { freePorts } from '../../../rig/freePorts';
import { Mailbox } from '../../../rig/Mailbox';

/** Sends one mail by plain SMTP, waiting for the server's answer to each line. */
async function sendMail(port: number, headers: string, body: string): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const lines = [
    'HELO test',
    'MAIL FROM:<chord@example.com>',
    'RCPT TO:<you@example.com>',
    'DATA',
    `From: chord@example.com\r\nTo: you@example.com\r\n${headers}\r\n\r\n${body}\r\n.`,
    'QUIT',
  ];
  await answers.next();
  for (const line of lines) {
    socket.write(`${line}\r\n`);
    await answers.next();
  }
  socket.destroy();
}

describe('the demo inbox', () => {
  let mailbox: Mailbox;
  let web: InboxWeb;
  let url: string;
  beforeEach(async () => {
    mailbox = await Mailbox.open();
    const [port = 0] = await freePorts(1);
    web = await InboxWeb.open(mailbox, 'http://127.0.0.1:1/form/task', port);
    url = `http://127.0.0.1:${port}`;
  });
  afterEach(async () => {
    await web.close();
    await mailbox.close();
  });

  const html = (body: string) =>
    sendMail(
      mailbox.port,
      'Subject: =?utf-8?q?Tee_=E2=98=95?=\r\nContent-Type: text/html; charset=utf-8',
      body,
    );

  test('takes a mail and gives subject, text and links', async () => {
    await html(
      '<p>Look <a href="http://a.example/x?a=1&amp;b=2">here</a> and <a href="http://a.example/x?a=1&amp;b=2">there</a></p>',
    );
    const mail = await mailbox.waitFor((one) => one.subject === 'Tee ☕');
    expect(mail).toMatchObject({
      id: 1,
      from: 'chord@example.com',
      to: 'you@example.com',
      links: ['http://a.example/x?a=1&b=2'],
    });
    expect(mail.text).toContain('Look here');
  });

  test('says which mails came when the expected one does not', async () => {
    await html('<p>one</p>');
    await expect(mailbox.waitFor((one) => one.subject === 'other', 50)).rejects.toThrow('Arrived: "Tee ☕"');
  });

  test('lists mails and tells a watching page of each new one', async () => {
    const events = await fetch(`${url}/events`);
    const reader = (events.body ?? new ReadableStream<Uint8Array>()).getReader();
    await reader.read();
    await html('<p>one</p>');
    expect(new TextDecoder().decode((await reader.read()).value as Uint8Array)).toContain('data: mail');
    expect(await (await fetch(`${url}/mails.json`)).json()).toMatchObject({
      taskForm: 'http://127.0.0.1:1/form/task',
      mails: [{ id: 1, subject: 'Tee ☕' }],
    });
  });

  test('shows a mail where its scripts cannot run and its links open beside it', async () => {
    await html('<html><head></head><body><script>alert(1)</script></body></html>');
    const page = await fetch(`${url}/mail/1`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('sandbox allow-popups');
    expect(policy).not.toContain('allow-scripts');
    expect(policy).toContain("default-src 'none'");
    expect(await page.text()).toContain('<head><base target="_blank">');
  });

  test('shows a mail without HTML as the text it is', async () => {
    await sendMail(mailbox.port, 'Subject: plain\r\nContent-Type: text/plain', '1 < 2 & <b>no</b>');
    expect(await (await fetch(`${url}/mail/1`)).text()).toContain('1 &lt; 2 &amp; &lt;b&gt;no&lt;/b&gt;');
    expect((await fetch(`${url}/mail/2`)).status).toBe(404);
  });
});
