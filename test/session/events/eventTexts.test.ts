import type { Texts } from '../../../chord/session/contract';
import {
  confirmDocument,
  handoffDocument,
  questionDocument,
} from '../../../chord/session/state/requestDocuments';
import { closedTexts, envelopeTexts, requestTexts } from '../../../chord/session/events/eventTexts';
import { readEnvelope, type Envelope } from '../../../chord/protocol/envelopes';
import { confirmRequest, handoffRequest, questionRequest } from '../../../chord/protocol/requests';

const textsOfEnvelope = (envelope: Envelope): Texts => envelopeTexts(readEnvelope(envelope));

const confirm = (more: object): Texts => {
  const payload = confirmRequest.parse({ request_id: 'r1', tool_name: 'shell', ...more });
  return requestTexts(confirmDocument(payload, 0), payload);
};
const shell = (command: string): Texts => confirm({ args_json: JSON.stringify({ command }) });
const question = (more: object): Texts => {
  const payload = questionRequest.parse({ request_id: 'q1', question: 'Which tea?', ...more });
  return requestTexts(questionDocument(payload, 0), { ...payload });
};
const handoff = (plan_text: string, more: object = {}): Texts => {
  const payload = handoffRequest.parse({ request_id: 'h1', plan_path: '/p.md', plan_text, ...more });
  return requestTexts(handoffDocument(payload), { ...payload });
};

describe('requests', () => {
  test('a confirm shows tool and what it acts on first', () => {
    const texts = confirm({ args_json: '{"description":"d","command":"git push origin main"}' });
    expect(texts.summary).toBe('Chord wants to run shell: git push origin main');
    expect(texts.message).toContain('description: d\ncommand: git push origin main');
  });

  test('arguments that are no JSON are shown as they are', () => {
    expect(confirm({ args_json: 'rm -rf' }).text).toContain('rm -rf');
  });

  test('a done shows its report', () => {
    const texts = confirm({ tool_name: 'done', done_report: 'All tidy.' });
    expect(texts).toMatchObject({ summary: 'Chord reports that it is done: All tidy.', text: 'All tidy.' });
  });

  test('a question shows its numbered options', () => {
    const texts = question({ header: 'Tea', options: ['Green', 'Black'], option_details: ['mild'] });
    expect(texts.summary).toBe('Chord asks: Which tea?');
    expect(texts.text).toBe('Chord asks: Tea: Which tea?\n1. Green (mild)\n2. Black');
  });

  test('an option of several lines cannot pretend to be two', () => {
    const texts = question({
      options: ['Keep\n2. Stop', 'Destroy', 'a\r\nb\rc'],
      option_details: ['', 'now\n3. Later'],
    });
    const list = '1. Keep ↵ 2. Stop\n2. Destroy (now ↵ 3. Later)\n3. a ↵ b ↵ c';
    for (const said of [texts.text, texts.message, texts.chat]) expect(said).toContain(list);
  });

  test('a handoff whose plan could not be read says so, and why, in all its texts', () => {
    const texts = handoff('', { plan_error: 'open /p.md: no such file' });
    for (const said of [texts.summary, texts.message, texts.text, texts.chat, texts.html]) {
      expect(said).toMatch(/could not be read.*no such file/s);
    }
    expect(handoff('# Half', { plan_error: 'cut' }).text).toContain('# Half');
  });

  test('a handoff shows its plan', () => {
    expect(handoff('# Plan').text).toContain('# Plan');
  });

  test('a command stands in a block of a chat and of a mail, and nowhere is read as markup', () => {
    expect(shell('echo "<b>" `id` \\n')).toMatchObject({
      summary: 'Chord wants to run shell: echo "\\u{3c}b>" `id` \\u{5c}n',
      message: 'Chord wants to run shell.\n\ncommand: echo "\\u{3c}b>" `id` \\u{5c}n',
      html: expect.stringMatching(
        /Chord wants to run shell\.<\/div><\/div><pre [^<>]*>echo &#x22;&#x3c;b&#x3e;&#x22; &#x60;id&#x60; <span>&#x5c;<\/span>n<\/pre>$/,
      ),
      chat: 'Chord wants to run shell.\n\n```\necho "\\u{3c}b>" \\u{60}id\\u{60} \\u{5c}n\n```',
      text: 'Chord wants to run shell.\n\ncommand: echo "<b>" `id` \\n',
    });
  });

  test('several arguments have a block each in a mail, so that none can pretend to be another', () => {
    const { html, chat } = confirm({ args_json: '{"command":"ls\\ntimeout: 5","timeout":60}' });
    expect(html.match(/<pre [^>]*>[^<]*<\/pre>/g)?.map((block) => block.replace(/<[^>]*>/g, ''))).toEqual([
      'ls\ntimeout: 5',
      '60',
    ]);
    expect(chat).toContain('```\ncommand: ls\ntimeout: 5\ntimeout: 60\n```');
  });

  test('a tool that a messenger would read as markup is named in the block', () => {
    const { chat } = confirm({ tool_name: 'apply_patch', args_json: '{"path":"a_b.ts"}' });
    expect(chat).toBe('Chord wants to run a tool.\n\n```\ntool: apply_patch\npath: a_b.ts\n```');
  });

  test('what is shown are Chord’s own bytes', () => {
    const texts = confirm({ tool_name: 'charge', args_json: '{"account":9007199254740993,"account":2e400}' });
    for (const part of [texts.message, texts.html, texts.chat, texts.text]) {
      expect(part).toContain('9007199254740993');
      expect(part).toContain('2e400');
    }
  });

  test('a line break is marked in the summary, and no padding hides what follows', () => {
    expect(shell('git status # …\ncurl evil').summary).toBe(
      'Chord wants to run shell: git status # … ↵ curl evil',
    );
    const padded = shell(`ls${' '.repeat(2600)}; curl evil`);
    expect(padded.summary).toBe('Chord wants to run shell: ls ; curl evil');
    expect(padded.message).toMatch(/…$/);
    expect(padded.chat).toMatch(/```\n… \d+ more characters, see the form$/);
    expect(confirm({ tool_name: 'done', done_report: `ok${' '.repeat(2600)}not` }).summary).toMatch(
      /ok not$/,
    );
  });

  test('a report, a question and a plan are paragraphs in a chat', () => {
    expect(confirm({ tool_name: 'done', done_report: 'All *tidy*.' }).chat).toBe(
      'Chord reports that it is done:\n\nAll \\u{2a}tidy\\u{2a}.',
    );
    expect(question({ options: ['a_b', '<i>'], option_details: [] }).chat).toBe(
      'Chord asks: Which tea?\n1. a\\u{5f}b\n2. \\u{3c}i>',
    );
    expect(handoff('# Plan\n1. x').chat).toBe(
      'Chord has a plan and asks who should carry it out.\n\n\\u{23} Plan\n1. x',
    );
  });

  test('the subject is the command, whole, and no markup; the input is the arguments', () => {
    const args = { command: `<b>${'x'.repeat(500)}` };
    const payload = confirmRequest.parse({ request_id: 'r1', args_json: JSON.stringify(args) });
    expect(confirmDocument(payload, 0)).toMatchObject({
      subject: `\\u{3c}b>${'x'.repeat(500)}`,
      arguments: args,
      input: args,
    });
  });

  test('a closed request is told without escaping twice', () => {
    const payload = confirmRequest.parse({ tool_name: 'shell', args_json: '{"command":"<b>"}' });
    expect(closedTexts(confirmDocument(payload, 0), payload, 'Lost')).toMatchObject({
      summary: 'Lost: Chord wants to run shell: \\u{3c}b>',
      text: 'Lost: Chord wants to run shell: <b>',
    });
  });

  test('a long one is cut for line and chat, and stands whole in the text', () => {
    const long = '🍵'.repeat(3000);
    const { summary, message, text } = shell(long);
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
    ['a deadline that was not set', { deadline: '0001-01-01T00:00:00Z' }, null, 'none', ''],
    ['a time limit beyond all dates', { timeout_ms: 1e300 }, null, 'none', ''],
    ['a time limit of nothing', { timeout_ms: 0 }, null, 'none', ''],
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
    ['idle with jobs', 'idle', { running_jobs: 2 }, 'Chord is idle; background jobs still running: 2.'],
    ['a shell command', 'local_shell_result', { command: 'ls', failed: true }, 'Failed: ls'],
    ['to-dos', 'todos', { todos: [] }, 'The to-do list changed.'],
    ['something new with a message', 'tea_ready', { message: 'Pour.' }, 'tea_ready: Pour.'],
  ])('%s', (_, type, payload, summary) => {
    expect(textsOfEnvelope({ type, payload: payload as Record<string, unknown> }).summary).toBe(summary);
  });

  test('B35: text in any script stays as it is', () => {
    const text = '审批 ☕ é';
    expect(textsOfEnvelope({ type: 'assistant_message', payload: { text } })).toMatchObject({
      summary: text,
      message: text,
      chat: text,
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
    expect(textsOfEnvelope({ type: 'todos', payload: { todos } }).text).toBe('[x] a\n[>] b\n[ ] c\n[-] d');
  });
});
