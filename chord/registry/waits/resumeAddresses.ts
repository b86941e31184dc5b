/** The hosts at which a server that listens there can be reached from its own machine. */
function ownHosts(listens: string): string[] {
  if (listens === '::') return ['127.0.0.1', '[::1]'];
  if (listens === '0.0.0.0') return ['127.0.0.1'];
  return [listens.includes(':') ? `[${listens}]` : listens];
}

/**
 * Where an execution can be resumed from within n8n's own machine, best first: the address of the credential, or n8n's
 * port on this machine, then the address that n8n tells the world, which a proxy or a container may hide from n8n
 * itself. `N8N_PROTOCOL` is the proxy's: n8n speaks https only with a key and a certificate (read). Since that can be
 * set elsewhere than in the environment, the other protocol is tried, too.
 *
 * @param resumeUrl n8n's `$execution.resumeUrl` with the node's suffix
 * @param n8nAddress the credential's; empty for none
 */
export function resumeAddresses(
  resumeUrl: string,
  n8nAddress: string,
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  const told = new URL(resumeUrl);
  // n8n takes an empty variable as one that is not set.
  const set = (name: string, otherwise: string): string => {
    const value = environment[name] ?? '';
    return value === '' ? otherwise : value;
  };
  const endpoint = set('N8N_ENDPOINT_WEBHOOK_WAIT', 'webhook-waiting');
  // A path prefix is the proxy's, who takes it away before n8n sees it.
  const start = told.pathname.indexOf(`/${endpoint}/`);
  const path = `${start < 0 ? told.pathname : told.pathname.slice(start)}${told.search}`;
  if (n8nAddress !== '') return [n8nAddress.replace(/\/+$/, '') + path];
  const secure = ['N8N_SSL_KEY', 'N8N_SSL_CERT'].every((name) => set(name, '') !== '');
  const protocols = secure && set('N8N_PROTOCOL', 'http') === 'https' ? ['https', 'http'] : ['http', 'https'];
  const hosts = ownHosts(set('N8N_LISTEN_ADDRESS', '::'));
  const port = set('N8N_PORT', '5678');
  const own = protocols.flatMap((protocol) => hosts.map((host) => `${protocol}://${host}:${port}${path}`));
  return [...new Set([...own, resumeUrl])];
}
