import { Problem } from './Problem';
import { runProgram } from './runProgram';

/** Without the audit and the begging, and with little to say unless it fails. */
export const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * `npm run` hands the settings of the project's `.npmrc` down as variables; here another folder is meant, in which
 * for example sqlite3 must be built by its install script.
 */
const NOT_HANDED_DOWN = /^npm_config_(ignore_scripts|prefix|local_prefix|omit_lockfile_registry_resolved)$/;

/**
 * Runs the npm of the person who started us, with its own registry settings, and gives what it printed. Started
 * through `npm run`, npm says where it is; that also saves the `.cmd` file on Windows.
 */
export async function npm(
  cwd: string,
  args: string[],
  environment: Record<string, string | undefined> = {},
): Promise<string> {
  const script = process.env.npm_execpath;
  const own = script?.endsWith('npm-cli.js') ? script : undefined;
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_HANDED_DOWN.test(name));
  const env = { ...Object.fromEntries(inherited), npm_config_update_notifier: 'false', ...environment };
  const result = own
    ? await runProgram(process.execPath, [own, ...args], { cwd, env })
    : await runProgram('npm', args, { cwd, env });
  if (result.exitCode === 0) return result.stdout.trim();
  const end = result.all.trim().split('\n').slice(-25).join('\n');
  throw new Problem(
    `npm ${args.slice(0, 2).join(' ')} failed:\n${end}`,
    'Check that the npm registry is reachable and that the disk has free space. You can safely try again.',
  );
}
