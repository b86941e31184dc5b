// questions.mjs - questions.
import { measure, say, call, send, status, cancel, answer, wait, pause, rest } from './words.mjs';

measure(
  'cancel-question',
  [call('question', { questions: [{ header: 'A', question: 'B?' }] }), say('ok')],
  [
    send('Go.'),
    wait('question_request'),
    status,
    pause(200),
    cancel,
    rest,
    status,
    rest,
    send('More.'),
    wait('idle'),
    rest,
  ],
);
measure(
  'send-question',
  [call('question', { questions: [{ header: 'A', question: 'B?' }] }), say('ok'), say('ok2')],
  [send('Go.'), wait('question_request'), send('More.'), wait('idle'), rest],
);
measure(
  'question-bad',
  [
    call('question', { questions: [] }),
    call('question', {
      questions: [{ header: 'A', question: 'B?', options: [{ label: 'X', description: 'd' }] }],
    }),
    say('ok'),
  ],
  [send('Go.'), wait('question_request'), answer(['nonexisting', 'X']), wait('idle'), rest],
);
