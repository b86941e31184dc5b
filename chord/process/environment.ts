import { ChordError } from '../errors';
import type { HostProcess, LaunchSettings } from './LaunchSettings';

/**
 * What the child may inherit. An allow-list, because n8n's own secrets stand in its environment and everything that
 * Chord has, the agent's shell has too. `NODE_OPTIONS`, `NODE_ENV` and the like stay out as well: they are n8n's run
 * modes, not the project's.
 */
export const inheritedNames: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'TZ',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  // How the network is reached, in both spellings that programs read.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  // Which certificates are trusted: Go and OpenSSL, Node.js, Python, curl, git.
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
];

/** Names that begin so are inherited too. */
export const inheritedPrefixes: readonly string[] = ['LC_', 'XDG_', 'CHORD_'];

/** What a Windows program needs beside these to start at all. */
export const inheritedWindowsNames: readonly string[] = [
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERDOMAIN',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'COMMONPROGRAMFILES',
  'ALLUSERSPROFILE',
  'PUBLIC',
  'COMPUTERNAME',
  'OS',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
];

function isInherited(name: string, platform: NodeJS.Platform): boolean {
  // Windows ignores case, and spells PATH as `Path`.
  const key = platform === 'win32' ? name.toUpperCase() : name;
  return (
    inheritedNames.includes(key) ||
    inheritedPrefixes.some((prefix) => key.startsWith(prefix)) ||
    (platform === 'win32' && inheritedWindowsNames.includes(key))
  );
}

function checkVariable({ name, value }: { name: string; value: string }): void {
  if (name !== '' && !/[=\0]/.test(name) && !value.includes('\0')) return;
  throw new ChordError(
    'invalid_settings',
    name === ''
      ? 'An environment variable of the credential has no name.'
      : `The environment variable ${JSON.stringify(name)} of the credential cannot be set.`,
    {
      description:
        'A name may not be empty or contain "=", and neither name nor value may contain a zero byte.',
    },
  );
}

/**
 * The child's whole environment: what is inherited, then what the credential adds or replaces, then what the caller
 * needs for itself.
 *
 * @throws ChordError `invalid_settings` for a name or value that no environment can hold
 */
export function childEnvironment(
  host: HostProcess,
  added: LaunchSettings['environment'],
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const variables = new Map<string, [name: string, value: string]>();
  const set = (name: string, value: string) => {
    variables.set(host.platform === 'win32' ? name.toUpperCase() : name, [name, value]);
  };
  for (const [name, value] of Object.entries(host.environment)) {
    if (value !== undefined && isInherited(name, host.platform)) set(name, value);
  }
  for (const variable of added) {
    checkVariable(variable);
    set(variable.name, variable.value);
  }
  for (const [name, value] of Object.entries(extra)) set(name, value);
  return Object.fromEntries(variables.values());
}

/** The search path of an environment; Windows spells its name as it likes. */
export function searchPath(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
}
