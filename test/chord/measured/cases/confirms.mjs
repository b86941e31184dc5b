// confirms.mjs - calls that the rules judge, and requests to approve one.
import {
  measure,
  say,
  drip,
  call,
  shell,
  writeFile,
  send,
  status,
  cancel,
  confirm,
  wait,
  seen,
  perhapsIdle,
  pause,
  rest,
} from './words.mjs';

measure(
  'compound',
  [shell('echo a && git tag x; pwd | cat'), say('ok')],
  [send('Go.'), wait('confirm_request'), status, confirm(), wait('idle')],
);
measure(
  'two-asks',
  [
    {
      tool_calls: [
        { name: 'shell', args: { command: 'git tag a' } },
        { name: 'shell', args: { command: 'git tag b' } },
      ],
    },
    say('ok'),
  ],
  [
    send('Go.'),
    wait('confirm_request'),
    confirm(),
    wait('confirm_request'),
    confirm({ action: 'deny' }),
    wait('idle'),
  ],
);
measure(
  'denied',
  [
    shell('rm -rf x'),
    call('write', { path: 'secret/a', content: 'x' }),
    call('web_fetch', { url: 'http://x' }),
    say('ok'),
  ],
  [send('Go.'), wait('idle')],
);
measure(
  'delete',
  [call('delete', { paths: ['notes.txt', 'README.md'], reason: 'tidy' }), say('ok')],
  [send('Go.'), wait('confirm_request'), confirm(), wait('idle')],
);
measure('fail', [shell('echo out; sleep 0.1; (exit 3)'), say('ok')], [send('Go.'), perhapsIdle(3000)]);
measure(
  'cancel-confirm',
  [shell('git tag x'), say('ok')],
  [
    send('Go.'),
    wait('confirm_request'),
    pause(200),
    cancel,
    rest,
    status,
    confirm(),
    rest,
    send('More.'),
    wait('idle'),
    rest,
  ],
);
measure(
  'slash-confirm',
  [shell('git tag x'), say('ok')],
  [send('Go.'), wait('confirm_request'), send('/models'), wait('idle'), rest, status],
);
for (const [name, rule_scope] of [
  ['rule-project', 'project'],
  ['rule-global', 'user_global'],
]) {
  measure(
    name,
    [shell('git tag x'), say('ok')],
    [send('Go.'), wait('confirm_request'), confirm({ rule_pattern: 'git tag *', rule_scope }), wait('idle')],
  );
}
measure(
  'rule-write',
  [writeFile, say('ok')],
  [send('Go.'), wait('confirm_request'), confirm({ rule_pattern: '*.txt' }), wait('idle')],
);
measure(
  'timeout',
  [shell('git tag x'), drip(30)],
  [send('Go.'), wait('confirm_request'), seen('streaming'), status, confirm(), status, wait('idle')],
  { project_config: 'confirm_timeout: 1\n' },
);
for (const [name, final_args_json] of [
  ['edit-bad', 'not json'],
  ['edit-denied', '{"path":"secret/a","content":"x"}'],
]) {
  measure(
    name,
    [writeFile, say('ok')],
    [send('Go.'), wait('confirm_request'), confirm({ final_args_json }), perhapsIdle(3000), status, rest],
  );
}
