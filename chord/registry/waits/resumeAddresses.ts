import { ChordError } from '../../errors';

/** The hosts at which a server that listens there can be reached from its own machine. */
function ownHosts(listens: string): string[] {
  if (listens === '::') return ['127.0.0.1', '[::1]'];
  if (listens === '0.0.0.0') return ['127.0.0.1'];
  return [listens.includes(':') ? `[${listens}]` : listens];
}

/** The credential's address without slashes at its end; without a protocol it is http, as in `localhost:5678`. */
const fullAddress = (n8nAddress: string): string =>
  `${/^https?:/i.test(n8nAddress) ? '' : 'http://'}${n8nAddress.replace(/\/+$/, '')}`;

/**
 * Checks the credential's address of n8n; none is fine.
 *
 * @throws ChordError `invalid_settings`
 */
export function checkN8nAddress(n8nAddress: string): void {
  if (n8nAddress === '' || URL.canParse(fullAddress(n8nAddress))) return;
  throw new ChordError('invalid_settings', `The n8n Address "${n8nAddress}" is not valid.`, {
    description:
      'Correct it in the Chord credential, for example http://127.0.0.1:5678, or leave it empty to have it detected.',
  });
}

/**
 * Where an execution can be resumed from within n8n's own machine, best first: the address of the credential, or n8n's
 * port on this machine, then the address that n8n tells the world, which a proxy or a container may hide from n8n
 * itself. `N8N_PROTOCOL` is the proxy's: n8n speaks https only with a key and a certificate (read). Since that can be
 * set elsewhere than in the environment, the other protocol is tried, too. What a setting has spoilt stands here as it
 * is: whoever calls it says so and tries the next one.
 *
 * @param resumeUrl n8n's `$execution.resumeUrl` with the node's suffix
 * @param n8nAddress the credential's; empty for none
 */
export function resumeAddresses(
  resumeUrl: string,
  n8nAddress: string,
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  // n8n takes an empty variable as one that is not set.
  const set = (name: string, otherwise: string): string => {
    const value = environment[name] ?? '';
    return value === '' ? otherwise : value;
  };
  const endpoint = set('N8N_ENDPOINT_WEBHOOK_WAIT', 'webhook-waiting');
  // A path prefix is the proxy's, who takes it away before n8n sees it.
  const start = resumeUrl.indexOf(`/${endpoint}/`);
  const path = start < 0 ? resumeUrl.replace(/^\w+:\/\/[^/]*/, '') : resumeUrl.slice(start);
  if (n8nAddress !== '') return [fullAddress(n8nAddress) + path];
  const secure = ['N8N_SSL_KEY', 'N8N_SSL_CERT'].every((name) => set(name, '') !== '');
  const protocols = secure && set('N8N_PROTOCOL', 'http') === 'https' ? ['https', 'http'] : ['http', 'https'];
  const hosts = ownHosts(set('N8N_LISTEN_ADDRESS', '::'));
  const port = set('N8N_PORT', '5678');
  const own = protocols.flatMap((protocol) => hosts.map((host) => `${protocol}://${host}:${port}${path}`));
  return [...new Set([...own, resumeUrl])];
}
