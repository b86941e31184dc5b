import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callN8n, readAnswer } from '../../../chord/registry/waits/callN8n';
import { resumeAddresses } from '../../../chord/registry/waits/resumeAddresses';

describe('where n8n is called', () => {
  const url = 'https://flows.example/n8n/webhook-waiting/7?signature=abc/node-1';

  test.each([
    [
      'at its own port first, without the proxy’s path prefix, then at its public address',
      '',
      {},
      ['http://127.0.0.1:5678/webhook-waiting/7?signature=abc/node-1', url],
    ],
    [
      'at the port and address that it listens on',
      '',
      { N8N_PORT: '81', N8N_LISTEN_ADDRESS: '10.0.0.5', N8N_PROTOCOL: 'https' },
      ['https://10.0.0.5:81/webhook-waiting/7?signature=abc/node-1', url],
    ],
    [
      'at an address in brackets for IPv6',
      '',
      { N8N_LISTEN_ADDRESS: '::1' },
      ['http://[::1]:5678/webhook-waiting/7?signature=abc/node-1', url],
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
      { N8N_ENDPOINT_WEBHOOK_WAIT: 'wait' },
      ['http://127.0.0.1:5678/n8n/webhook-waiting/7?signature=abc/node-1', url],
    ],
  ])('%s', (_, n8nAddress, environment, addresses) => {
    expect(resumeAddresses(url, n8nAddress, environment)).toEqual(addresses);
  });

  test('once, where both are the same', () => {
    const local = 'http://127.0.0.1:5678/webhook-waiting/7/node-1';
    expect(resumeAddresses(local, '', {})).toEqual([local]);
  });
});

test.each([
  [200, '', 'resumed'],
  [200, 'n8n is starting up. Please wait', 'later'],
  [404, '{"code":404,"message":"The execution \\"7\\" does not exist."}', 'gone'],
  [404, '<pre>Cannot POST /webhook-waiting/7/node</pre>', 'later'],
  [409, '{"message":"The execution \\"7\\" is running already."}', 'later'],
  [409, '{"message":"The execution \\"7\\" has finished already."}', 'gone'],
  [503, 'n8n is starting up', 'later'],
  [403, '', 'later'],
  [500, '', 'later'],
])('%i %s means %s', (status, body, answer) => {
  expect(readAnswer(status, body)).toBe(answer);
});

describe('the call', () => {
  const seen: { method: string | undefined; body: string }[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
    incoming.on('end', () => {
      seen.push({ method: incoming.method, body });
      response.statusCode = 200;
      response.end();
    });
  });
  let address = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook-waiting/7/node`;
  });
  afterAll(() => server.close());

  test('carries the token and nothing else, and goes past an address where nobody listens', async () => {
    expect(await callN8n(['http://127.0.0.1:9/', address], 'secret')).toBe('resumed');
    expect(seen).toEqual([{ method: 'POST', body: '{"token":"secret"}' }]);
  });

  test('is to be repeated when nobody listens anywhere', async () => {
    expect(await callN8n(['http://127.0.0.1:9/'], 'secret')).toBe('later');
  });
});
