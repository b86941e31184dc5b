import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { askN8n } from '../../../chord/registry/waits/askN8n';
import { callN8n, readAnswer, type Tokens } from '../../../chord/registry/waits/callN8n';
import { resumeAddresses } from '../../../chord/registry/waits/resumeAddresses';
import { FakeClock } from '../../support/FakeClock';
import { until } from '../../support/until';
import { selfSigned } from './support/selfSigned';

describe('where n8n is called', () => {
  const url = 'https://flows.example/n8n/webhook-waiting/7?signature=abc/node-1';

  test.each([
    [
      'at its own port first, without the proxy’s path prefix, then at its public address',
      '',
      {},
      [
        'http://127.0.0.1:5678/webhook-waiting/7?signature=abc/node-1',
        'http://[::1]:5678/webhook-waiting/7?signature=abc/node-1',
        'https://127.0.0.1:5678/webhook-waiting/7?signature=abc/node-1',
        'https://[::1]:5678/webhook-waiting/7?signature=abc/node-1',
        url,
      ],
    ],
    [
      'at the port and address that it listens on; N8N_PROTOCOL alone is what the proxy speaks',
      '',
      { N8N_PORT: '81', N8N_LISTEN_ADDRESS: '10.0.0.5', N8N_PROTOCOL: 'https' },
      [
        'http://10.0.0.5:81/webhook-waiting/7?signature=abc/node-1',
        'https://10.0.0.5:81/webhook-waiting/7?signature=abc/node-1',
        url,
      ],
    ],
    [
      'by https where n8n has a key and a certificate',
      '',
      { N8N_LISTEN_ADDRESS: '0.0.0.0', N8N_PROTOCOL: 'https', N8N_SSL_KEY: '/k', N8N_SSL_CERT: '/c' },
      [
        'https://127.0.0.1:5678/webhook-waiting/7?signature=abc/node-1',
        'http://127.0.0.1:5678/webhook-waiting/7?signature=abc/node-1',
        url,
      ],
    ],
    [
      'at an address in brackets for IPv6',
      '',
      { N8N_LISTEN_ADDRESS: '::1' },
      [
        'http://[::1]:5678/webhook-waiting/7?signature=abc/node-1',
        'https://[::1]:5678/webhook-waiting/7?signature=abc/node-1',
        url,
      ],
    ],
    [
      'by http where the credential names no protocol',
      'n8n:5678',
      {},
      ['http://n8n:5678/webhook-waiting/7?signature=abc/node-1'],
    ],
    [
      'only where the credential says',
      'http://n8n:5678/',
      {},
      ['http://n8n:5678/webhook-waiting/7?signature=abc/node-1'],
    ],
    [
      'under another endpoint, whole when it is not there',
      '',
      { N8N_ENDPOINT_WEBHOOK_WAIT: 'wait', N8N_LISTEN_ADDRESS: '127.0.0.1' },
      [
        'http://127.0.0.1:5678/n8n/webhook-waiting/7?signature=abc/node-1',
        'https://127.0.0.1:5678/n8n/webhook-waiting/7?signature=abc/node-1',
        url,
      ],
    ],
  ])('%s', (_, n8nAddress, environment, addresses) => {
    expect(resumeAddresses(url, n8nAddress, environment)).toEqual(addresses);
  });

  test('at its own port also where n8n’s public address lacks its protocol', () => {
    const [own] = resumeAddresses('flows.example/webhook-waiting/7?signature=abc/node-1', '', {});
    expect(own).toBe('http://127.0.0.1:5678/webhook-waiting/7?signature=abc/node-1');
  });

  test('once, where both are the same', () => {
    const local = 'http://127.0.0.1:5678/webhook-waiting/7/node-1';
    const addresses = resumeAddresses(local, '', { N8N_LISTEN_ADDRESS: '127.0.0.1' });
    expect(addresses).toEqual([local, local.replace('http', 'https')]);
  });
});

test.each([
  [200, '', 'later'],
  [200, 'n8n is starting up. Please wait', 'later'],
  [404, '{"code":404,"message":"The execution \\"7\\" does not exist."}', 'gone'],
  [404, '{"code":404,"message":"Could not find node to process webhook."}', 'gone'],
  [404, '{"message":"no such page"}', 'later'],
  [404, '<pre>Cannot POST /webhook-waiting/7/node</pre>', 'later'],
  [409, '{"message":"The execution \\"7\\" is running already."}', 'later'],
  [409, '{"message":"The execution \\"7\\" has finished already."}', 'gone'],
  [503, 'n8n is starting up', 'later'],
  [403, '', 'later'],
  [500, '', 'later'],
])('%i %s of a call that did not come to us means %s', (status, body, answer) => {
  expect(readAnswer({ status, body }, false)).toBe(answer);
});

test.each([
  [200, '', 'resumed'],
  [404, '{"code":404,"message":"The execution \\"7\\" does not exist."}', 'gone'],
  [409, '{"message":"The execution \\"7\\" has finished already."}', 'gone'],
  [409, '{"message":"The execution \\"7\\" is running already."}', 'later'],
  [500, '{"code":0,"message":"There was a problem executing the workflow"}', 'later'],
  [500, '<h1>Internal Server Error</h1>', 'unanswered'],
  [502, '<h1>Bad Gateway</h1>', 'unanswered'],
  [504, '{"message":"The upstream server is timing out"}', 'unanswered'],
  [524, '', 'unanswered'],
])('%i %s of a call that n8n has passed on to us means %s', (status, body, answer) => {
  expect(readAnswer({ status, body }, true)).toBe(answer);
});

/** Hands out tokens as a wait does, and counts as taken once somebody took the last one. */
class FakeTokens implements Tokens {
  readonly given: string[] = [];

  private taken = '';

  next(): string {
    this.given.push(`token ${this.given.length + 1}`);
    return this.last;
  }

  private get last(): string {
    return this.given.at(-1) ?? '';
  }

  take(token: string): void {
    this.taken = token;
  }

  isAccepted(): boolean {
    return this.taken !== '' && this.taken === this.last;
  }
}

describe('the call', () => {
  let tokens: FakeTokens;
  let clock: FakeClock;
  let seen: { method: string | undefined; body: string }[];
  /** What n8n does with a call; by default it passes it on and goes on with the execution. */
  let answer: (token: string, response: ServerResponse) => void;
  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
    incoming.on('end', () => {
      seen.push({ method: incoming.method, body });
      answer(body && (JSON.parse(body) as { token: string }).token, response);
    });
  };
  const servers = [createServer(listener), createSecureServer(selfSigned, listener)];
  let addresses: string[] = [];
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  beforeAll(async () => {
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    addresses = servers.map((server, at) => `http${at ? 's' : ''}://127.0.0.1:${portOf(server)}/webhook`);
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  beforeEach(() => {
    tokens = new FakeTokens();
    clock = new FakeClock();
    seen = [];
    answer = (token, response) => {
      tokens.take(token);
      response.end();
    };
  });

  test('carries the token and nothing else, and goes past an address where nobody listens', async () => {
    const failures: string[] = [];
    const called = callN8n(['http://127.0.0.1:9/', addresses[0] ?? ''], tokens, clock, (reason) =>
      failures.push(reason),
    );
    expect(await called).toBe('resumed');
    expect(seen).toEqual([{ method: 'POST', body: '{"token":"token 2"}' }]);
    expect(failures).toEqual(['http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9']);
  });

  test('is to be repeated when nobody listens anywhere', async () => {
    expect(await callN8n(['http://127.0.0.1:9/'], tokens, clock)).toBe('later');
  });

  test.each(['n8n', 'http://', 'mailto:me', ''])(
    'an address that is none (%j) is said, asks nothing, and the next one is tried',
    async (address) => {
      const failures: string[] = [];
      const said = (reason: string) => failures.push(reason);
      expect(await callN8n([address, ...addresses], tokens, clock, said)).toBe('resumed');
      expect(failures[0]).toContain(address);
      expect(failures).toHaveLength(1);
      expect(await askN8n([address], clock)).toBe('silent');
    },
  );

  test('a wait that one address has is believed, though another n8n at the first one has no such execution', async () => {
    const other = createServer((_, response) => {
      response.writeHead(404).end('{"code":404,"message":"The execution \\"7\\" does not exist."}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    servers.push(other);
    const foreign = `http://127.0.0.1:${portOf(other)}/webhook`;
    answer = (_, response) => response.writeHead(405).end('{"message":"no","waits":true}');
    expect(await askN8n([foreign, ...addresses], clock)).toBe('waits');
    expect(await askN8n([foreign, 'http://127.0.0.1:1/webhook'], clock)).toBe('over');
  });

  test('does not mind that n8n on this machine has a certificate of its own making', async () => {
    expect(await callN8n([addresses[1] ?? ''], tokens, clock)).toBe('resumed');
  });

  test('another program that says yes to everything is not n8n', async () => {
    const yes = answer;
    answer = (token, response) => {
      if (token === 'token 2') yes(token, response);
      else response.end('Welcome!');
    };
    expect(await callN8n([`${addresses[0]}/other`, addresses[0] ?? ''], tokens, clock)).toBe('resumed');
    expect(seen).toHaveLength(2);
  });

  test('an address that gives no answer is given up after ten seconds, and the next one is tried', async () => {
    const yes = answer;
    answer = (token, response) => {
      if (token === 'token 2') yes(token, response);
    };
    const called = callN8n([addresses[0] ?? '', addresses[0] ?? ''], tokens, clock);
    await until(() => seen.length === 1);
    await clock.advance(10_000);
    expect(await called).toBe('resumed');
  });

  test('a call that n8n has passed on is waited for, for hours, and no other address is tried', async () => {
    let respond: () => void = () => undefined;
    answer = (token, response) => {
      tokens.take(token);
      respond = () => response.end();
    };
    const called = callN8n([addresses[0] ?? '', addresses[0] ?? ''], tokens, clock);
    await until(() => seen.length === 1);
    await clock.advance(6 * 3_600_000);
    respond();
    expect(await called).toBe('resumed');
    expect(seen).toHaveLength(1);
  });

  test('of a call that n8n has passed on and broke off nothing is known, and no other address is tried', async () => {
    answer = (token, response) => {
      tokens.take(token);
      response.destroy();
    };
    const called = callN8n([addresses[0] ?? '', addresses[0] ?? ''], tokens, clock);
    expect(await called).toBe('unanswered');
    expect(seen).toHaveLength(1);
  });
});
