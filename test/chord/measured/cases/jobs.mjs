// jobs.mjs - background jobs and local shells.
import { measure, say, drip, call, send, status, cancel, wait, seen, pause, rest } from './words.mjs';

measure(
  'job-fail',
  [call('spawn', { command: 'sleep 0.5; exit 2', description: 'bad', timeout: 30 }), say('ok'), say('ok3')],
  [send('Go.'), wait('idle'), wait('toast'), wait('idle'), rest],
);
measure(
  'job-busy',
  [call('spawn', { command: 'sleep 0.5', description: 'quick', timeout: 30 }), drip(40), say('ok3')],
  [send('Go.'), wait('idle'), rest],
);
measure(
  'cancel-job',
  [call('spawn', { command: 'sleep 0.4', description: 'q', timeout: 9 }), drip(40), say('ok'), say('ok4')],
  [send('Go.'), wait('toast'), pause(200), cancel, rest, status, rest, send('More.'), wait('idle'), rest],
);
measure(
  'spawn-stop',
  [
    call('spawn', { command: 'sleep 5', description: 'q', timeout: 9 }),
    call('spawn_status', { id: 'job-1' }),
    call('spawn_stop', { id: 'job-1' }),
    say('ok'),
    say('ok5'),
  ],
  [send('Go.'), wait('idle'), rest],
);
measure(
  'shell-busy',
  [drip(40)],
  [
    send('Go.'),
    seen('streaming'),
    { send: { type: 'local_shell', command: 'sleep 0.5; pwd; echo $CHORD_X; exit 0' } },
    status,
    wait('status_response'),
    wait('idle'),
    rest,
  ],
);
