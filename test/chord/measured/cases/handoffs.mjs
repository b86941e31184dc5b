// handoffs.mjs - handoffs of a plan.
import {
  measure,
  say,
  call,
  writePlan,
  handOff,
  send,
  status,
  cancel,
  askModels,
  decide,
  wait,
  seen,
  pause,
  rest,
} from './words.mjs';

measure(
  'send-handoff',
  [writePlan, handOff, say('ok')],
  [send('Go.'), wait('handoff_request'), wait('idle'), send('More.'), wait('idle'), rest, status],
);
measure(
  'handoff-wrong-pool',
  [writePlan, handOff, say('ok')],
  [
    send('Go.'),
    wait('handoff_request'),
    wait('idle'),
    decide({ action: 'dance' }),
    decide({ action: 'accept', pool: 'gamma' }),
    wait('idle'),
    askModels,
    rest,
  ],
);
measure(
  'handoff-missing',
  [call('handoff', { plan_path: 'nope.md' }), say('ok')],
  [send('Go.'), wait('idle'), rest],
);
measure(
  'cancel-handoff',
  [writePlan, handOff, say('ok')],
  [send('Go.'), wait('handoff_request'), wait('idle'), cancel, rest, status, send('/models'), rest, status],
);
measure(
  'queued-handoff',
  [writePlan, { ...handOff, delay_ms: 1500 }, say('ok')],
  [send('Go.'), seen('executing'), pause(250), send('Queued.'), rest, status, rest],
);
