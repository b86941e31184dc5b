// provider.mjs - answers of the provider that are cut, empty, refused or broken.
import { measure, say, call, send, status, cancel, wait, seen, perhapsIdle, pause, rest } from './words.mjs';

measure('after-headers', [{ drop: 'after_headers' }, say('ok')], [send('Go.'), wait('idle')]);
measure(
  'hang-cancel',
  [{ hang: true }, say('ok')],
  [send('Go.'), seen('waiting_token'), rest, cancel, wait('idle'), send('More.'), wait('idle')],
);
measure('length', [{ text: 'long', finish: 'length' }, say('ok')], [send('Go.'), wait('idle'), rest]);
measure(
  'bad-args',
  [{ tool_calls: [{ name: 'shell', args_raw: '{"command": ' }] }, call('nonsense', {}), say('ok')],
  [send('Go.'), wait('idle'), rest],
);
measure(
  'empty-args',
  [{ tool_calls: [{ name: 'shell', args: {} }] }, say('ok')],
  [send('Go.'), perhapsIdle(6000), rest],
);
measure('empty-reply', [say(''), say('ok')], [send('Go.'), perhapsIdle(4000), rest]);
measure(
  '400-other',
  [{ status: 400, error: { message: 'weird', type: 'other' } }, say('ok')],
  [send('Go.'), wait('idle'), status, rest],
);
measure(
  '404',
  [{ status: 404, error: { message: 'nope', type: 'not_found' } }, say('ok')],
  [send('Go.'), pause(1000), status, cancel, rest],
);
measure(
  'sse-error',
  [{ text: 'abc', sse_error: { message: 'boom' } }, say('ok')],
  [send('Go.'), wait('idle'), status, rest],
);
