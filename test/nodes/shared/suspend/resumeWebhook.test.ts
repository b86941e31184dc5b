import type { IExecuteData, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import type { Claim, ResumeCall } from '../../../../chord/registry/contract/waits';
import { answerResumeCall } from '../../../../nodes/shared/suspend/resumeWebhook';
import { FakeRegistry } from '../../support/FakeRegistry';

const token = 'a1'.repeat(32);
const input: INodeExecutionData[] = [{ json: { task: 'one' } }, { json: { task: 'two' } }];

let claims: [string, string][];

beforeEach(() => {
  claims = [];
  const registry = new FakeRegistry();
  Object.assign(registry.waits, {
    claim: async ({ executionId, token: given, storedCalls }: ResumeCall): Promise<Claim> => {
      claims.push([executionId, given]);
      if (given !== token) return 'refused';
      return storedCalls === null || storedCalls.includes('e1/n/1/0') ? 'taken' : 'too_early';
    },
  });
  registry.install();
});

/** One call as n8n hands it over; `internals` are the fields of n8n's own that it has besides its interface. */
const call = async (method: string, body: unknown, internals: object = {}) => {
  const answer = { status: 0, headers: {} as Record<string, string> };
  const context = {
    getExecutionId: () => 'e1',
    getNode: () => ({ name: 'Send' }),
    getRequestObject: () => ({ method }),
    getBodyData: () => body,
    getResponseObject: () => ({
      setHeader: (name: string, value: string) => void (answer.headers[name] = value),
      status: (code: number) => {
        answer.status = code;
        return { json: () => undefined };
      },
    }),
    ...internals,
  } as unknown as IWebhookFunctions;
  return {
    ...answer,
    returned: await answerResumeCall(context),
    headers: answer.headers,
    status: answer.status,
  };
};

/** The waiting node on n8n's stack, marked as n8n marks it before it asks us. */
const stackEntry = () =>
  ({
    node: { name: 'Send', disabled: true },
    data: { main: [input] },
    source: null,
  }) as unknown as IExecuteData;

test('a call with the token lets n8n run the node again, with its own items', async () => {
  const executeData = stackEntry();
  const { returned } = await call('POST', { token }, { executeData });
  expect(returned).toEqual({ workflowData: [input] });
  expect(executeData.node.disabled).toBe(false);
});

/** What n8n has stored of an execution: the calls that the node has noted. */
const stored = (contextData: object) => ({ runExecutionData: { executionData: { contextData } } });

test('a call with the token is taken where the stored execution waits for this very call', async () => {
  const executeData = stackEntry();
  const noted = stored({ 'node:Send': { chordParkedCalls: { 'e1/n/0/0': true, 'e1/n/1/0': true } } });
  const { returned } = await call('POST', { token }, { executeData, ...noted });
  expect(returned).toEqual({ workflowData: [input] });
});

test.each([
  ['an earlier run waits', { 'node:Send': { chordParkedCalls: { 'e1/n/0/0': true } } }],
  ['another node waits', { 'node:Other': { chordParkedCalls: { 'e1/n/1/0': true } } }],
  ['nothing waits', {}],
])('a call that n8n would go on with from older data, in which %s, is put off', async (_, contextData) => {
  const executeData = stackEntry();
  expect(await call('POST', { token }, { executeData, ...stored(contextData) })).toMatchObject({
    status: 425,
    returned: { noWebhookResponse: true },
  });
  expect(executeData.node.disabled).toBe(true);
});

test.each([
  ['no such field', {}],
  ['a field of another shape', { executeData: { node: { disabled: true }, data: {} } }],
])('resume_unsupported: an n8n with %s gets one failed item, never a result', async (_, internals) => {
  const { returned } = await call('POST', { token }, internals);
  const items = returned.workflowData?.flat() ?? [];
  expect(items).toHaveLength(1);
  expect(Object.keys(items[0]?.json ?? {})).toEqual(['error']);
  expect(items[0]?.json.error).toMatchObject({
    code: 'resume_unsupported',
    message: expect.stringContaining('cannot resume a suspended Chord node') as string,
    description: expect.stringContaining('Keep the Workflow Running') as string,
  });
});

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('%s is refused and claims nothing', async (method) => {
  const executeData = stackEntry();
  expect(await call(method, { token }, { executeData })).toMatchObject({
    status: 405,
    headers: { Allow: 'POST' },
    returned: { noWebhookResponse: true },
  });
  expect([claims, executeData.node.disabled]).toEqual([[], true]);
});

test.each([[{}], [{ token: '00' }], [{ token: [token] }], [{ token: null }], [[token]]])(
  'a body without the right token is refused: %j',
  async (body) => {
    const executeData = stackEntry();
    expect(await call('POST', body, { executeData })).toMatchObject({
      status: 403,
      returned: { noWebhookResponse: true },
    });
    expect(executeData.node.disabled).toBe(true);
  },
);

test('a body that cannot be read is refused, and nothing is thrown', async () => {
  const broken = { executeData: stackEntry(), getBodyData: () => undefined };
  expect(await call('POST', undefined, broken)).toMatchObject({
    status: 500,
    returned: { noWebhookResponse: true },
  });
});
