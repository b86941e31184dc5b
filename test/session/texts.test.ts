import type { RequestDocument } from '../../chord/session/contract';
import { confirmDocument, handoffDocument, questionDocument } from '../../chord/session/documents';
import { envelopeTexts, requestTexts } from '../../chord/session/texts';
import { confirmRequest, handoffRequest, questionRequest } from '../../chord/protocol/requests';

const confirm = (more: object): RequestDocument =>
  confirmDocument(confirmRequest.parse({ request_id: 'r1', tool_name: 'shell', ...more }), 0);
const question = (more: object): RequestDocument =>
  questionDocument(questionRequest.parse({ request_id: 'q1', question: 'Which tea?', ...more }), 0);

describe('requests', () => {
  test('a confirm shows tool and what it acts on first', () => {
    const texts = requestTexts(
      confirm({ args_json: '{"description":"d","command":"git push origin main"}' }),
    );
    expect(texts.summary).toBe('Chord wants to run shell: git push origin main');
    expect(texts.message).toContain('description: d\ncommand: git push origin main');
  });

  test('arguments that are no JSON are shown as they are', () => {
    expect(requestTexts(confirm({ args_json: 'rm -rf' })).text).toContain('rm -rf');
  });

  test('a done shows its report', () => {
    const texts = requestTexts(confirm({ tool_name: 'done', done_report: 'All tidy.' }));
    expect(texts).toMatchObject({ summary: 'Chord reports that it is done: All tidy.', text: 'All tidy.' });
  });

  test('a question shows its numbered options', () => {
    const texts = requestTexts(
      question({ header: 'Tea', options: ['Green', 'Black'], option_details: ['mild'] }),
    );
    expect(texts.summary).toBe('Chord asks: Which tea?');
    expect(texts.text).toBe('Chord asks: Tea: Which tea?\n1. Green (mild)\n2. Black');
  });

  test('a handoff shows its plan', () => {
    const plan = handoffDocument(
      handoffRequest.parse({ request_id: 'h1', plan_path: '/p.md', plan_text: '# Plan' }),
    );
    expect(requestTexts(plan).text).toContain('# Plan');
  });

  test('a long one is cut for line and chat, and stands whole in the text', () => {
    const long = '🍵'.repeat(3000);
    const { summary, message, text } = requestTexts(
      confirm({ args_json: JSON.stringify({ command: long }) }),
    );
    expect(summary.length).toBeLessThanOrEqual(200);
    expect(message.length).toBeLessThanOrEqual(2500);
    expect(text).toContain(long);
    for (const part of [summary, message]) {
      expect(part).toMatch(/🍵…$/u);
      expect(Buffer.from(part).toString()).toBe(part);
    }
  });
});

describe('when a request ends by itself', () => {
  const at = Date.parse('2030-01-01T00:00:00Z');

  test.each([
    [0, null, 'none'],
    [30_000, '2030-01-01T00:00:30.000Z', 'deny'],
  ])('a confirm with timeout_ms %i', (timeout_ms, expires_at, on_expiry) => {
    expect(confirmDocument(confirmRequest.parse({ request_id: 'r1', timeout_ms }), at)).toMatchObject({
      expires_at,
      on_expiry,
    });
  });

  test.each<[string, object, string | null, string, string]>([
    [
      'A with a default',
      { timeout_ms: 1000, default_answer: 'X' },
      '2030-01-01T00:00:01.000Z',
      'default',
      'X',
    ],
    ['A without', { timeout_ms: 1000, default_answer: '' }, '2030-01-01T00:00:01.000Z', 'none', ''],
    ['B', { deadline: '2030-01-02T00:00:00Z' }, '2030-01-02T00:00:00.000Z', 'none', ''],
    ['C without a clock', { version: 1, response_policy: 'user_required' }, null, 'none', ''],
    [
      'C with a default',
      {
        version: 1,
        options: ['X'],
        option_ids: ['x'],
        default_option_id: 'x',
        deadline: '2030-01-02T00:00:00Z',
      },
      '2030-01-02T00:00:00.000Z',
      'default',
      'X',
    ],
    ['an odd deadline', { deadline: 'soon' }, null, 'none', ''],
  ])('a question of protocol %s', (_, fields, expires_at, on_expiry, default_option) => {
    const document = questionDocument(questionRequest.parse({ request_id: 'q1', ...fields }), at);
    expect(document).toMatchObject({ expires_at, on_expiry, default_option });
  });
});

describe('envelopes', () => {
  const main = { agent_id: '', agent_type: '', task_id: '' };

  test.each<[string, string, object, string]>([
    ['a message', 'assistant_message', { ...main, text: 'Hello.' }, 'Hello.'],
    [
      'a SubAgent’s, with its name',
      'assistant_message',
      { agent_id: 'h-1', agent_type: 'helper', task_id: 't1', text: 'Hello.' },
      '[helper t1] Hello.',
    ],
    ['one whose agent has no type', 'assistant_message', { agent_id: 'h-1', text: 'Hello.' }, '[h-1] Hello.'],
    ['a pure tool call', 'assistant_message', { ...main, text: '', tool_calls: 1 }, 'Chord calls a tool.'],
    ['a report', 'done_completion', { report: 'Done.' }, 'Report: Done.'],
    ['an error', 'error', { message: 'Oh no.' }, 'Error: Oh no.'],
    ['a job', 'background_result', { content: 'Built.' }, 'Background job finished: Built.'],
    ['idle with jobs', 'idle', { running_jobs: 2 }, 'Chord is quiet, 2 background job(s) still run.'],
    ['a shell command', 'local_shell_result', { command: 'ls', failed: true }, 'Failed: ls'],
    ['to-dos', 'todos', { todos: [] }, 'The to-do list changed.'],
    ['something new with a message', 'tea_ready', { message: 'Pour.' }, 'tea_ready: Pour.'],
  ])('%s', (_, type, payload, summary) => {
    expect(envelopeTexts({ type, payload: payload as Record<string, unknown> }).summary).toBe(summary);
  });

  test('B35: text in any script stays as it is', () => {
    const text = '审批 ☕ é';
    expect(envelopeTexts({ type: 'assistant_message', payload: { text } })).toEqual({
      summary: text,
      message: text,
      text,
    });
  });

  test('marks of to-dos', () => {
    const todos = [
      { content: 'a', status: 'completed' },
      { content: 'b', status: 'in_progress' },
      { content: 'c', status: 'pending' },
      { content: 'd', status: 'cancelled' },
    ];
    expect(envelopeTexts({ type: 'todos', payload: { todos } }).text).toBe('[x] a\n[>] b\n[ ] c\n[-] d');
  });
});
