import { stringify } from 'flatted';

import type { N8nClient } from '../../rig/N8nClient';
import { readExecution, type ExecutionSummary } from '../../rig/n8nExecution';
import { formLinkOf, formReady } from '../../rig/n8nWait';

const stored = (status: ExecutionSummary['status'], waitTill?: string) =>
  readExecution({
    id: '7',
    workflowId: 'w',
    status,
    mode: 'trigger',
    startedAt: '',
    data: stringify({ resultData: { runData: {} }, waitTill }),
  });

describe('the form of a waiting execution', () => {
  test('is the link of a mail that resumes one', () => {
    const link = 'http://n8n.example/webhook-waiting/7/node?signature=ab';
    expect(formLinkOf(['http://n8n.example/', link])).toBe(link);
    expect(formLinkOf(['http://n8n.example/'])).toBeUndefined();
  });

  test('is ready once n8n has stored the status and the data that belongs to it', async () => {
    const states = [stored('running'), stored('waiting'), stored('waiting', '3000-01-01T00:00:00.000Z')];
    const asked: string[] = [];
    const client = {
      execution: async (id: string) => {
        asked.push(id);
        return states[asked.length - 1];
      },
    } as unknown as N8nClient;
    await formReady(client, 'http://n8n.example/webhook-waiting/7/node?signature=ab');
    expect(asked).toEqual(['7', '7', '7']);
  });
});
