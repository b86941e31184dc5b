// generate.mjs - writes scenarios/*.json and drivers/*.json.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
for (const kind of ['scenarios', 'drivers'])
  fs.rmSync(path.join(here, kind), { recursive: true, force: true });
const put = (kind, name, value) => {
  fs.mkdirSync(path.join(here, kind), { recursive: true });
  fs.writeFileSync(path.join(here, kind, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
};
const scenario = (name, steps, driver, extra = {}) => {
  put('scenarios', name, { name, steps });
  put('drivers', name, { name, scenario: name, steps: driver, ...extra });
};
const call = (name, args, text) => ({ ...(text ? { text } : {}), tool_calls: [{ name, args }] });
const send = (c) => ({ send: { type: 'send', content: c } });
const w = (type, where, more = {}) => ({
  waitFor: { type, ...(where ? { where } : {}), timeout_ms: 8000, ...more },
});
const rest = { delay: 300 };
const st = { send: { type: 'status' } };
const lastC = '${last.confirm_request.payload.request_id}',
  lastQ = '${last.question_request.payload.request_id}',
  lastH = '${last.handoff_request.payload.request_id}';
const confirm = (e) => ({ send: { type: 'confirm', request_id: lastC, action: 'allow', ...e } });
const any = { re: '.*' };
scenario(
  'after-headers',
  [
    { when: { nth: 1 }, reply: { drop: 'after_headers' } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle')],
);
scenario(
  'hang-cancel',
  [
    { when: { nth: 1 }, reply: { hang: true } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('activity', { 'payload.type': 'waiting_token' }),
    { delay: 300 },
    { send: { type: 'cancel' } },
    w('idle'),
    send('More.'),
    w('idle'),
  ],
);
scenario(
  'compound',
  [
    { when: { nth: 1 }, reply: call('shell', { command: 'echo a && git tag x; pwd | cat' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('confirm_request'), st, confirm({}), w('idle')],
);
scenario(
  'two-asks',
  [
    {
      when: { nth: 1 },
      reply: {
        tool_calls: [
          { name: 'shell', args: { command: 'git tag a' } },
          { name: 'shell', args: { command: 'git tag b' } },
        ],
      },
    },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('confirm_request'),
    confirm({}),
    w('confirm_request'),
    confirm({ action: 'deny' }),
    w('idle'),
  ],
);
scenario(
  'denied',
  [
    { when: { nth: 1 }, reply: call('shell', { command: 'rm -rf x' }) },
    { when: { nth: 2 }, reply: call('write', { path: 'secret/a', content: 'x' }) },
    { when: { nth: 3 }, reply: call('web_fetch', { url: 'http://x' }) },
    { when: { nth: 4 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle')],
);
scenario(
  'delete',
  [
    { when: { nth: 1 }, reply: call('delete', { paths: ['notes.txt', 'README.md'], reason: 'tidy' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('confirm_request'), confirm({}), w('idle')],
);
scenario(
  'fail',
  [
    { when: { nth: 1 }, reply: call('shell', { command: 'echo out; sleep 0.1; (exit 3)' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle', undefined, { optional: true, timeout_ms: 3000 })],
);
scenario(
  'cancel-confirm',
  [
    { when: { nth: 1 }, reply: call('shell', { command: 'git tag x' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('confirm_request'),
    { delay: 200 },
    { send: { type: 'cancel' } },
    rest,
    st,
    confirm({}),
    rest,
    send('More.'),
    w('idle'),
    rest,
  ],
);
scenario(
  'cancel-question',
  [
    { when: { nth: 1 }, reply: call('question', { questions: [{ header: 'A', question: 'B?' }] }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('question_request'),
    st,
    { delay: 200 },
    { send: { type: 'cancel' } },
    rest,
    st,
    rest,
    send('More.'),
    w('idle'),
    rest,
  ],
);
scenario(
  'send-question',
  [
    { when: { nth: 1 }, reply: call('question', { questions: [{ header: 'A', question: 'B?' }] }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
    { when: { nth: 3 }, reply: { text: 'ok2' } },
  ],
  [send('Go.'), w('question_request'), send('More.'), w('idle'), rest],
);
scenario(
  'send-handoff',
  [
    { when: { nth: 1 }, reply: call('write', { path: '.chord/plans/a.md', content: '# A\n' }) },
    { when: { nth: 2 }, reply: call('handoff', { plan_path: '.chord/plans/a.md' }) },
    { when: { nth: 3 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('handoff_request'), w('idle'), send('More.'), w('idle'), rest, st],
);
scenario(
  'handoff-wrong-pool',
  [
    { when: { nth: 1 }, reply: call('write', { path: '.chord/plans/a.md', content: '# A\n' }) },
    { when: { nth: 2 }, reply: call('handoff', { plan_path: '.chord/plans/a.md' }) },
    { when: { nth: 3 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('handoff_request'),
    w('idle'),
    { send: { type: 'handoff', request_id: lastH, action: 'dance' } },
    { send: { type: 'handoff', request_id: lastH, action: 'accept', pool: 'gamma' } },
    w('idle'),
    { send: { type: 'models' } },
    rest,
  ],
);
scenario(
  'slash-confirm',
  [
    { when: { nth: 1 }, reply: call('shell', { command: 'git tag x' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('confirm_request'), send('/models'), w('idle'), rest, st],
);
scenario(
  'busy-slash',
  [
    { when: { nth: 1 }, reply: { text: { repeat: 'drip ', count: 20 }, chunk_chars: 5, chunk_delay_ms: 50 } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('activity', { 'payload.type': 'streaming' }),
    send('/models status'),
    send('/new'),
    send('Plain.'),
    send('/loop off'),
    send('/compact'),
    w('idle'),
    rest,
    st,
  ],
);
scenario(
  'two-queued',
  [
    { when: { nth: 1 }, reply: { text: { repeat: 'drip ', count: 20 }, chunk_chars: 5, chunk_delay_ms: 50 } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
    { when: { nth: 3 }, reply: { text: 'ok3' } },
  ],
  [send('Go.'), w('activity', { 'payload.type': 'streaming' }), send('One.'), send('Two.'), w('idle'), rest],
);
scenario(
  'job-fail',
  [
    {
      when: { nth: 1 },
      reply: call('spawn', { command: 'sleep 0.5; exit 2', description: 'bad', timeout: 30 }),
    },
    { when: { nth: 2 }, reply: { text: 'ok' } },
    { when: { nth: 3 }, reply: { text: 'ok3' } },
  ],
  [send('Go.'), w('idle'), w('toast'), w('idle'), rest],
);
scenario(
  'job-busy',
  [
    { when: { nth: 1 }, reply: call('spawn', { command: 'sleep 0.5', description: 'quick', timeout: 30 }) },
    { when: { nth: 2 }, reply: { text: { repeat: 'drip ', count: 40 }, chunk_chars: 5, chunk_delay_ms: 50 } },
    { when: { nth: 3 }, reply: { text: 'ok3' } },
  ],
  [send('Go.'), w('idle'), rest],
);
scenario(
  'rule-project',
  [
    { when: { nth: 1 }, reply: call('shell', { command: 'git tag x' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('confirm_request'),
    confirm({ rule_pattern: 'git tag *', rule_scope: 'project' }),
    w('idle'),
  ],
);
scenario(
  'rule-global',
  [
    { when: { nth: 1 }, reply: call('shell', { command: 'git tag x' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('confirm_request'),
    confirm({ rule_pattern: 'git tag *', rule_scope: 'user_global' }),
    w('idle'),
  ],
);
scenario(
  'rule-write',
  [
    { when: { nth: 1 }, reply: call('write', { path: 'a.txt', content: 'x' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('confirm_request'), confirm({ rule_pattern: '*.txt' }), w('idle')],
);
scenario(
  'timeout',
  [
    { when: { nth: 1 }, reply: call('shell', { command: 'git tag x' }) },
    { when: { nth: 2 }, reply: { text: { repeat: 'drip ', count: 30 }, chunk_chars: 5, chunk_delay_ms: 50 } },
  ],
  [
    send('Go.'),
    w('confirm_request'),
    w('activity', { 'payload.type': 'streaming' }),
    st,
    confirm({}),
    st,
    w('idle'),
  ],
  { project_config: 'confirm_timeout: 1\n' },
);
scenario(
  'length',
  [
    { when: { nth: 1 }, reply: { text: 'long', finish: 'length' } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle'), rest],
);
scenario(
  'bad-args',
  [
    { when: { nth: 1 }, reply: { tool_calls: [{ name: 'shell', args_raw: '{"command": ' }] } },
    { when: { nth: 2 }, reply: call('nonsense', {}) },
    { when: { nth: 3 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle'), rest],
);
scenario(
  'edit-bad',
  [
    { when: { nth: 1 }, reply: call('write', { path: 'a.txt', content: 'x' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('confirm_request'),
    confirm({ final_args_json: 'not json' }),
    w('idle', undefined, { optional: true, timeout_ms: 3000 }),
    st,
    rest,
  ],
);
scenario(
  'edit-denied',
  [
    { when: { nth: 1 }, reply: call('write', { path: 'a.txt', content: 'x' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('confirm_request'),
    confirm({ final_args_json: '{"path":"secret/a","content":"x"}' }),
    w('idle', undefined, { optional: true, timeout_ms: 3000 }),
    st,
    rest,
  ],
);
scenario(
  'loop-send',
  [
    { when: { nth: 1 }, reply: call('done', { report: 'r' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
    { when: { nth: 3 }, reply: call('done', { report: 's' }) },
  ],
  [
    send('/loop on Work'),
    w('confirm_request'),
    send('More.'),
    w('confirm_request'),
    confirm({}),
    w('idle'),
    rest,
    st,
  ],
);
scenario(
  'loop-todos',
  [
    {
      when: { nth: 1 },
      reply: call('todo_write', { todos: [{ id: '1', content: 'A', status: 'pending' }] }),
    },
    { when: { nth: 2 }, reply: call('done', { report: 'r' }) },
    {
      when: { nth: 3 },
      reply: call('todo_write', { todos: [{ id: '1', content: 'A', status: 'completed' }] }),
    },
    { when: { nth: 4 }, reply: call('done', { report: 's' }) },
  ],
  [send('/loop on Work --max-iterations 3'), w('confirm_request'), confirm({}), w('idle'), rest, st],
);
scenario(
  'models',
  [{ when: { nth: 1 }, reply: { text: 'ok' } }],
  [
    { send: { type: 'models', action: 'set_current_model_pool', pool: 'beta' } },
    rest,
    { send: { type: 'models' } },
    send('/models --agent helper beta'),
    rest,
    send('/models --agent helper alpha'),
    rest,
    send('/models --agent nobody alpha'),
    rest,
    send('/models --agent x'),
    rest,
    send('/models gamma'),
    rest,
    { send: { type: 'models' } },
    { send: { type: 'models', action: 'set_current_model_pool' } },
    rest,
    send('Go.'),
    w('assistant_message'),
    w('idle'),
    rest,
  ],
);
scenario(
  'resume-self',
  [
    { when: { nth: 1 }, reply: { text: 'ok' } },
    { when: { nth: 2 }, reply: { text: 'ok2' } },
  ],
  [
    send('Go.'),
    w('idle'),
    send('/resume ${ready.payload.session_id}'),
    rest,
    send('/new'),
    w('idle'),
    send('/new'),
    rest,
    st,
    send('Go.'),
    w('idle'),
    rest,
  ],
);
scenario(
  'blank',
  [{ when: { last_user: any }, times: 'any', reply: { text: 'ok' } }],
  [
    send(''),
    w('idle'),
    send('   '),
    w('idle'),
    send('\u0085/models'),
    w('info'),
    st,
    w('status_response'),
    { send: { type: 'send' } },
    w('idle'),
  ],
);
scenario(
  'fields',
  [{ when: { nth: 1 }, reply: { text: 'ok' } }],
  [
    { sendRaw: '{"type":"send","content":5}' },
    { sendRaw: '{"type":"status","content":5}' },
    { sendRaw: '{"TYPE":"status"}' },
    { sendRaw: '{"type":"subscribe"}' },
    { sendRaw: '{"type":"subscribe","events":[]}' },
    { sendRaw: '"x"' },
    { sendRaw: '5' },
    { sendRaw: '{"type":"question","request_id":"x","answers":"A"}' },
    { sendRaw: '{"type":"status"} trailing' },
    rest,
    send('Go.'),
    rest,
  ],
);
scenario(
  'empty-reply',
  [
    { when: { nth: 1 }, reply: { text: '' } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle', undefined, { optional: true, timeout_ms: 4000 }), rest],
);
scenario(
  '400-other',
  [
    { when: { nth: 1 }, reply: { status: 400, error: { message: 'weird', type: 'other' } } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle'), st, rest],
);
scenario(
  '404',
  [
    { when: { nth: 1 }, reply: { status: 404, error: { message: 'nope', type: 'not_found' } } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), { delay: 1000 }, st, { send: { type: 'cancel' } }, rest],
);
scenario(
  'sse-error',
  [
    { when: { nth: 1 }, reply: { text: 'abc', sse_error: { message: 'boom' } } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle'), st, rest],
);
scenario(
  'handoff-missing',
  [
    { when: { nth: 1 }, reply: call('handoff', { plan_path: 'nope.md' }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle'), rest],
);
scenario(
  'question-bad',
  [
    { when: { nth: 1 }, reply: call('question', { questions: [] }) },
    {
      when: { nth: 2 },
      reply: call('question', {
        questions: [{ header: 'A', question: 'B?', options: [{ label: 'X', description: 'd' }] }],
      }),
    },
    { when: { nth: 3 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('question_request'),
    { send: { type: 'question', request_id: lastQ, answers: ['nonexisting', 'X'] } },
    w('idle'),
    rest,
  ],
);
scenario(
  'shell-busy',
  [{ when: { nth: 1 }, reply: { text: { repeat: 'drip ', count: 40 }, chunk_chars: 5, chunk_delay_ms: 50 } }],
  [
    send('Go.'),
    w('activity', { 'payload.type': 'streaming' }),
    { send: { type: 'local_shell', command: 'sleep 0.5; pwd; echo $CHORD_X; exit 0' } },
    st,
    w('status_response'),
    w('idle'),
    rest,
  ],
);
scenario(
  'empty-args',
  [
    { when: { nth: 1 }, reply: { tool_calls: [{ name: 'shell', args: {} }] } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle', undefined, { optional: true, timeout_ms: 6000 }), rest],
);
scenario(
  'cancel-queue-slash',
  [
    { when: { nth: 1 }, reply: { text: { repeat: 'drip ', count: 40 }, chunk_chars: 5, chunk_delay_ms: 50 } },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('activity', { 'payload.type': 'streaming' }),
    send('/new'),
    send('Plain.'),
    { send: { type: 'cancel' } },
    rest,
    st,
    rest,
  ],
);
scenario(
  'cancel-job',
  [
    { when: { nth: 1 }, reply: call('spawn', { command: 'sleep 0.4', description: 'q', timeout: 9 }) },
    { when: { nth: 2 }, reply: { text: { repeat: 'drip ', count: 40 }, chunk_chars: 5, chunk_delay_ms: 50 } },
    { when: { nth: 3 }, reply: { text: 'ok' } },
    { when: { nth: 4 }, reply: { text: 'ok4' } },
  ],
  [
    send('Go.'),
    w('toast'),
    { delay: 200 },
    { send: { type: 'cancel' } },
    rest,
    st,
    rest,
    send('More.'),
    w('idle'),
    rest,
  ],
);
scenario(
  'spawn-stop',
  [
    { when: { nth: 1 }, reply: call('spawn', { command: 'sleep 5', description: 'q', timeout: 9 }) },
    { when: { nth: 2 }, reply: call('spawn_status', { id: 'job-1' }) },
    { when: { nth: 3 }, reply: call('spawn_stop', { id: 'job-1' }) },
    { when: { nth: 4 }, reply: { text: 'ok' } },
    { when: { nth: 5 }, reply: { text: 'ok5' } },
  ],
  [send('Go.'), w('idle'), rest],
);
scenario(
  'todo-empty',
  [
    { when: { nth: 1 }, reply: call('todo_write', { todos: [] }) },
    { when: { nth: 2 }, reply: { text: 'ok' } },
  ],
  [send('Go.'), w('idle'), rest],
);
scenario(
  'resume-other',
  [{ when: { last_user: any }, times: 'any', reply: { text: 'ok' } }],
  [
    send('Go.'),
    w('idle'),
    send('/new'),
    w('idle'),
    send('Two.'),
    w('idle'),
    send('/resume ${ready.payload.session_id}'),
    rest,
    st,
    send('Three.'),
    w('idle'),
    rest,
  ],
);
scenario(
  'cancel-handoff',
  [
    { when: { nth: 1 }, reply: call('write', { path: '.chord/plans/a.md', content: '# A\n' }) },
    { when: { nth: 2 }, reply: call('handoff', { plan_path: '.chord/plans/a.md' }) },
    { when: { nth: 3 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('handoff_request'),
    w('idle'),
    { send: { type: 'cancel' } },
    rest,
    st,
    send('/models'),
    rest,
    st,
  ],
);
scenario(
  'loop-cancel',
  [
    { when: { nth: 1 }, reply: call('done', { report: 'r' }) },
    { when: { nth: 2 }, reply: call('done', { report: 's' }) },
  ],
  [
    send('/loop on Work'),
    w('confirm_request'),
    { send: { type: 'cancel' } },
    rest,
    st,
    send('More.'),
    rest,
    st,
  ],
);
scenario(
  'queued-handoff',
  [
    { when: { nth: 1 }, reply: call('write', { path: '.chord/plans/a.md', content: '# A\n' }) },
    { when: { nth: 2 }, reply: { ...call('handoff', { plan_path: '.chord/plans/a.md' }), delay_ms: 1500 } },
    { when: { nth: 3 }, reply: { text: 'ok' } },
  ],
  [
    send('Go.'),
    w('activity', { 'payload.type': 'executing' }),
    { delay: 250 },
    send('Queued.'),
    rest,
    st,
    rest,
  ],
);
