import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { exampleWorkflow } from '../rig/exampleWorkflow';
import { freePorts, portBusy } from '../rig/freePorts';
import { installedN8n } from '../rig/installN8n';
import { Mailbox } from '../rig/Mailbox';
import { OWNER } from '../rig/N8nClient';
import { N8nServer } from '../rig/N8nServer';
import { gulp, packPackage } from '../rig/pack';
import { Problem } from '../rig/Problem';
import { printProgress } from '../rig/progress';
import { prepareAgent } from './agent';
import { InboxWeb } from './inbox/InboxWeb';
import { playRound } from './round';
import { watchSources } from './watch';

/** How the demo was asked for. */
export interface DemoOptions {
  /** Play the whole round, then end. */
  once: boolean;
  /** Build and start n8n again whenever the sources change. */
  watch: boolean;
  /** The n8n to show it on, by version or release line; else the usual one. */
  n8n?: string | undefined;
  /** Aborted when the person wants it to end. */
  stop: AbortSignal;
}

/** The ports that a person sees, if they are free. */
const N8N_PORT = 5678;
const INBOX_PORT = 8025;

/** Everything from nothing to the last tidy-up; settles when the demo is over. */
export async function runDemo({ once, watch, n8n, stop }: DemoOptions): Promise<void> {
  const progress = printProgress();
  const closers: (() => Promise<unknown>)[] = [];
  /** Whatever was opened is closed, the last one first, however this ends. */
  const opened = <T>(thing: T, close: () => Promise<unknown>): T => {
    closers.unshift(close);
    return thing;
  };
  const unlessStopped = <T>(work: Promise<T>) => raceStop(work, stop);

  try {
    const installed = await unlessStopped(installedN8n(n8n, progress));
    await unlessStopped(progress.during('Build the package and the simulator', () => gulp('fast')));

    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'chord-demo-')));
    opened(folder, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const pack = () => packPackage(path.join(folder, 'package'));
    const tarball = await progress.during('Pack the package as for publishing', pack);
    const agent = await prepareAgent(folder);
    opened(agent, () => agent.close());
    if (once && !agent.scripted) {
      throw new Problem(
        '--once works only with a scripted agent, and your own configuration uses a real model.',
        'Leave out --once, or unset CHORD_CONFIG_HOME.',
      );
    }

    const mailbox = await Mailbox.open();
    opened(mailbox, () => mailbox.close());
    const [n8nPort = 0, inboxPort = 0] = await choosePorts(once);
    const place = { userFolder: path.join(folder, 'n8n'), tarball, port: n8nPort };
    const server = await progress.during('Start n8n (about 15 seconds)', () =>
      N8nServer.start(installed, place, stop),
    );
    opened(server, () => server.stop());
    const taskForm = `${server.url}/form/chord-task`;
    const inbox = await InboxWeb.open(mailbox, taskForm, inboxPort);
    opened(inbox, () => inbox.close());

    await progress.during('Import and activate the two workflows', async () => {
      const credentials = {
        chordHeadlessApi: await server.client.createCredential('Chord', 'chordHeadlessApi', agent.credential),
        smtp: await server.client.createCredential('Demo inbox', 'smtp', mailbox.smtpCredential),
      };
      for (const name of ['ask-by-email', 'run-task-and-mail-report']) {
        await server.client.activate(
          await server.client.createWorkflow(await exampleWorkflow(name, credentials)),
        );
      }
    });

    progress.note(`\nThe agent is ${agent.description}.`);
    if (once) {
      await unlessStopped(playRound({ server, mailbox, taskForm, say: progress.note }));
      return;
    }
    progress.note(whatToDo({ taskForm, inbox: `http://127.0.0.1:${inboxPort}/`, editor: server.url }));
    mailbox.onMail((mail) =>
      progress.note(`  ${mail.receivedAt.toLocaleTimeString()}  mail: ${mail.subject}`),
    );
    if (watch) opened(watch, watchSources(server, pack, progress));
    await stopped(stop);
  } finally {
    for (const close of closers) await close().catch((error: unknown) => console.error(error));
  }
}

function whatToDo(at: { taskForm: string; inbox: string; editor: string }): string {
  return `
Ready. Three steps:

  1  Give the agent a task      ${at.taskForm}
  2  Answer its request         ${at.inbox}
     Open the mail, click "Decide", choose Allow or Deny, and send the form.
  3  Read its report            the next mail in the same inbox

Look inside n8n                 ${at.editor}
                                e-mail ${OWNER.email}, password ${OWNER.password}
Press Ctrl-C to stop; nothing is left behind.
`;
}

/** The well-known ports where they are free, since a person has to type them; any for a run that nobody watches. */
async function choosePorts(once: boolean): Promise<number[]> {
  const free = await freePorts(2);
  if (once) return free;
  const wanted = [N8N_PORT, INBOX_PORT];
  return Promise.all(wanted.map(async (port, index) => ((await portBusy(port)) ? (free[index] ?? 0) : port)));
}

const stopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** What comes first: the result, or the wish to stop, which is no failure of the work. */
async function raceStop<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const wish = stopped(signal).then(() => {
    throw new Error('stopped');
  });
  return Promise.race([work, wish]);
}
