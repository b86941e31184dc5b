import { chown, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { freePorts } from '../../../rig/freePorts';
import { n8nEnvironment } from '../../../rig/n8nEnvironment';
import { installPackage, N8nServer } from '../../../rig/N8nServer';
import { ProcessGroup } from '../../../rig/ProcessGroup';
import { runProgram } from '../../../rig/runProgram';
import { closedAtEnd } from '../../e2e/support/leftovers';
import { sharedServer } from '../../e2e/support/sharedServer';
import { until } from '../../support/until';

/** Debian's packages hide the server's programs from the PATH, one folder a version. */
function postgresFolder(): string {
  const all = '/usr/lib/postgresql';
  const [version] = readdirSync(all);
  return path.join(all, version ?? '', 'bin');
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('close', () => socket.destroy());
  });

/** Starts a server program that is stopped at the end of the test file; its output goes to a file beside its data. */
async function serve(
  name: string,
  folder: string,
  port: number,
  command: string,
  args: string[],
): Promise<void> {
  const log = openSync(path.join(folder, `${name}.log`), 'a');
  const group = new ProcessGroup(command, args, { cwd: folder, stdio: ['ignore', log, log] });
  closeSync(log);
  closedAtEnd(() => group.stop());
  await until(() => answers(port), `${name} answers`);
}

/** PostgreSQL refuses to run as root; the package has made a user for it. */
async function servePostgres(folder: string, port: number): Promise<void> {
  const data = path.join(folder, 'postgres');
  await mkdir(data);
  const { stdout: uid } = await runProgram('id', ['-u', 'postgres']);
  await chown(data, Number(uid), userInfo().gid);
  const asPostgres = ['-u', 'postgres', '--'];
  const made = await runProgram('runuser', [
    ...asPostgres,
    path.join(postgresFolder(), 'initdb'),
    '-D',
    data,
    '--auth=trust',
    '--no-sync',
  ]);
  if (made.exitCode !== 0) throw new Error(`initdb failed: ${made.all}`);
  const program = path.join(postgresFolder(), 'postgres');
  const options = ['-D', data, '-p', String(port), '-k', data, '-h', '127.0.0.1', '-F'];
  await serve('postgres', folder, port, 'runuser', [...asPostgres, program, ...options]);
}

/** n8n as larger installations run it: PostgreSQL, Redis, a main process, and workers that run the executions. */
export class QueueMode {
  private constructor(
    /** The main process, in regular mode until it is told otherwise. */
    readonly main: N8nServer,
    private readonly folder: string,
    private readonly environment: Record<string, string>,
  ) {}

  /** Everything that queue mode needs, and n8n on it; in which mode, the settings say. */
  static async start(name: string, settings: Record<string, string>): Promise<QueueMode> {
    const { installed, tarball, folder: shared } = sharedServer();
    const folder = path.join(shared, name);
    // PostgreSQL's user has to get to its own folder.
    await mkdir(folder, { mode: 0o711 });
    await runProgram('chmod', ['711', shared]);
    const [postgres = 0, redis = 0] = await freePorts(2);
    await servePostgres(folder, postgres);
    await serve('redis', folder, redis, 'redis-server', [
      '--port',
      String(redis),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
    ]);
    const environment = {
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(postgres),
      DB_POSTGRESDB_DATABASE: 'postgres',
      DB_POSTGRESDB_USER: 'postgres',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis),
      N8N_ENCRYPTION_KEY: 'the same in every process',
    };
    const main = await N8nServer.start(installed, {
      userFolder: path.join(folder, 'main'),
      tarball,
      environment: { ...environment, ...settings },
    });
    closedAtEnd(() => main.stop());
    return new QueueMode(main, folder, environment);
  }

  /** Starts a worker with a folder of its own, as in a container of its own. */
  async startWorker(): Promise<void> {
    const { installed, tarball } = sharedServer();
    const userFolder = path.join(this.folder, 'worker');
    await mkdir(userFolder, { recursive: true });
    await installPackage(userFolder, tarball);
    const [port = 0, brokerPort = 0, health = 0] = await freePorts(3);
    const log = openSync(path.join(userFolder, 'n8n.log'), 'a');
    const group = new ProcessGroup(installed.node, [installed.script, 'worker'], {
      cwd: userFolder,
      env: n8nEnvironment(
        installed.release,
        { userFolder, port, brokerPort },
        {
          ...this.environment,
          EXECUTIONS_MODE: 'queue',
          QUEUE_HEALTH_CHECK_ACTIVE: 'true',
          QUEUE_HEALTH_CHECK_PORT: String(health),
          N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
        },
      ),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    closedAtEnd(() => group.stop());
    await until(async () => (await fetch(`http://127.0.0.1:${health}/healthz`).catch(() => undefined))?.ok, {
      what: 'the worker is healthy',
      limitMs: 90_000,
    });
  }
}
