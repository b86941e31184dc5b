// inputs.mjs - inputs: queued ones, slash commands, sessions, blank and odd lines.
import { scenario, measure, say, drip, send, status, cancel, askModels, wait, seen, rest } from './words.mjs';

measure(
  'busy-slash',
  [drip(20), say('ok')],
  [
    send('Go.'),
    seen('streaming'),
    send('/models status'),
    send('/new'),
    send('Plain.'),
    send('/loop off'),
    send('/compact'),
    wait('idle'),
    rest,
    status,
  ],
);
measure(
  'two-queued',
  [drip(20), say('ok'), say('ok3')],
  [send('Go.'), seen('streaming'), send('One.'), send('Two.'), wait('idle'), rest],
);
measure(
  'models',
  [say('ok')],
  [
    { send: { type: 'models', action: 'set_current_model_pool', pool: 'beta' } },
    rest,
    askModels,
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
    askModels,
    { send: { type: 'models', action: 'set_current_model_pool' } },
    rest,
    send('Go.'),
    wait('assistant_message'),
    wait('idle'),
    rest,
  ],
);
measure(
  'resume-self',
  [say('ok'), say('ok2')],
  [
    send('Go.'),
    wait('idle'),
    send('/resume ${ready.payload.session_id}'),
    rest,
    send('/new'),
    wait('idle'),
    send('/new'),
    rest,
    status,
    send('Go.'),
    wait('idle'),
    rest,
  ],
);
scenario(
  'resume-other',
  [{ when: { last_user: { re: '.*' } }, times: 'any', reply: say('ok') }],
  [
    send('Go.'),
    wait('idle'),
    send('/new'),
    wait('idle'),
    send('Two.'),
    wait('idle'),
    send('/resume ${ready.payload.session_id}'),
    rest,
    status,
    send('Three.'),
    wait('idle'),
    rest,
  ],
);
scenario(
  'blank',
  [{ when: { last_user: { re: '.*' } }, times: 'any', reply: say('ok') }],
  [
    send(''),
    wait('idle'),
    send('   '),
    wait('idle'),
    send('\u0085/models'),
    wait('info'),
    status,
    wait('status_response'),
    { send: { type: 'send' } },
    wait('idle'),
  ],
);
measure(
  'fields',
  [say('ok')],
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
measure(
  'cancel-queue-slash',
  [drip(40), say('ok')],
  [send('Go.'), seen('streaming'), send('/new'), send('Plain.'), cancel, rest, status, rest],
);
