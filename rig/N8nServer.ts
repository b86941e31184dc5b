import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePorts } from './freePorts';
import type { InstalledN8n } from './installN8n';
import { N8nClient } from './N8nClient';
import { n8nEnvironment, type N8nPlace } from './n8nEnvironment';
import { npm, QUIET } from './npm';
import { Problem } from './Problem';
import { ProcessGroup } from './ProcessGroup';

/** n8n prepares its database at the first start: about 10 s, more on a busy machine. In milliseconds. */
const START_LIMIT_MS = 180_000;
const LOOK_EVERY_MS = 200;

/** What can be said about a server before it runs. */
export interface N8nOptions {
  /** Everything of this n8n lies below it; not there yet, or from an earlier start. */
  userFolder: string;
  /** A package from `npm pack` to be installed as a community package. */
  tarball?: string;
  /** More environment variables. */
  environment?: Record<string, string>;
  /** Words of a command that starts n8n, put before it, e.g. one that gives it another host name. */
  before?: string[];
  /** The port of the editor; a free one by default. */
  port?: number;
}

/** A running n8n with its owner logged in. */
export class N8nServer {
  readonly url: string;
  readonly client: N8nClient;
  readonly #installed: InstalledN8n;
  #options: N8nOptions;
  readonly #place: N8nPlace;
  #group: ProcessGroup | undefined;

  private constructor(installed: InstalledN8n, options: N8nOptions, place: N8nPlace) {
    this.#installed = installed;
    this.#options = options;
    this.#place = place;
    this.url = `http://127.0.0.1:${place.port}`;
    this.client = new N8nClient(this.url);
  }

  /**
   * Installs the package, starts n8n, waits until it is ready, and logs its owner in. If that fails or `stop` is
   * aborted meanwhile, nothing of it is left.
   */
  static async start(installed: InstalledN8n, options: N8nOptions, stop?: AbortSignal): Promise<N8nServer> {
    const [port = 0, brokerPort = 0] = await freePorts(2);
    const place = { userFolder: options.userFolder, port: options.port ?? port, brokerPort };
    const server = new N8nServer(installed, options, place);
    await mkdir(options.userFolder, { recursive: true });
    if (options.tarball) await installPackage(options.userFolder, options.tarball);
    await server.startProcess(stop);
    return server;
  }

  get pid(): number | undefined {
    return this.#group?.pid;
  }

  /** The two ports that it listens on. */
  get ports(): number[] {
    return [this.#place.port, this.#place.brokerPort];
  }

  /** Where n8n's own log goes. */
  get logFile(): string {
    return path.join(this.#options.userFolder, 'n8n.log');
  }

  /** Adds environment variables, for the next start of the process. */
  setEnvironment(more: Record<string, string>): void {
    this.#options = { ...this.#options, environment: { ...this.#options.environment, ...more } };
  }

  /** Puts words of a command before n8n, for the next start of the process. */
  setBefore(before: string[]): void {
    this.#options = { ...this.#options, before };
  }

  /** Starts the process: at first, and again after `stop` or a crash, on the same data and ports. */
  async startProcess(stop?: AbortSignal): Promise<void> {
    const log = openSync(this.logFile, 'a');
    const { node, script } = this.#installed;
    const [command = node, ...args] = [...(this.#options.before ?? []), node, script, 'start'];
    this.#group = new ProcessGroup(command, args, {
      cwd: this.#options.userFolder,
      env: n8nEnvironment(this.#installed.release, this.#place, this.#options.environment),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    await this.#ready(this.#group, stop);
    await this.client.logIn();
  }

  /** Sends a signal to n8n alone, for tests of what survives it. */
  kill(signal: NodeJS.Signals): void {
    if (this.pid) process.kill(this.pid, signal);
  }

  /** Settles when the n8n process itself has ended. */
  async exited(): Promise<void> {
    await this.#group?.exited;
  }

  /** Stops n8n as its user would, and makes sure that nothing of it is left. */
  async stop(): Promise<void> {
    await this.#group?.stop();
    this.#group = undefined;
  }

  /** Stops n8n, installs another build of the package, and starts it again on the same data and ports. */
  async restartWith(tarball: string): Promise<void> {
    await this.stop();
    await installPackage(this.#options.userFolder, tarball);
    await this.startProcess();
  }

  /** The end of n8n's log. */
  async logTail(lines = 30): Promise<string> {
    const log = await readFile(this.logFile, 'utf8').catch(() => '');
    return log.trim().split('\n').slice(-lines).join('\n');
  }

  async #ready(group: ProcessGroup, stop?: AbortSignal): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    while (!group.ended && !stop?.aborted && Date.now() < deadline) {
      const answer = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
      await answer?.arrayBuffer();
      // Readiness speaks of the database only; the editor's address answers once n8n has loaded its nodes.
      if (answer?.ok && (await this.client.restReady())) return;
      await sleep(LOOK_EVERY_MS);
    }
    const { ended } = group;
    await group.stop();
    if (stop?.aborted) throw new Error('stopped');
    throw new Problem(
      `n8n ${ended ? 'ended while it was starting' : `was not ready after ${START_LIMIT_MS / 1000} s`}. The end of its log:\n${await this.logTail()}`,
      `The whole log is in ${this.logFile}.`,
    );
  }
}

/** As n8n installs a community package: below its own folder `nodes`, without peers, without install scripts. */
export async function installPackage(userFolder: string, tarball: string): Promise<void> {
  const nodes = path.join(userFolder, '.n8n', 'nodes');
  await mkdir(nodes, { recursive: true });
  await npm(nodes, [
    'install',
    tarball,
    '--prefix',
    nodes,
    '--legacy-peer-deps',
    '--ignore-scripts',
    '--prefer-offline',
    ...QUIET,
  ]);
}
