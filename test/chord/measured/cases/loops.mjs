// loops.mjs - loop mode and the todo list that keeps it going.
import { measure, say, call, done, send, status, cancel, confirm, wait, rest } from './words.mjs';

measure(
  'loop-send',
  [done('r'), say('ok'), done('s')],
  [
    send('/loop on Work'),
    wait('confirm_request'),
    send('More.'),
    wait('confirm_request'),
    confirm(),
    wait('idle'),
    rest,
    status,
  ],
);
measure(
  'loop-todos',
  [
    call('todo_write', { todos: [{ id: '1', content: 'A', status: 'pending' }] }),
    done('r'),
    call('todo_write', { todos: [{ id: '1', content: 'A', status: 'completed' }] }),
    done('s'),
  ],
  [send('/loop on Work --max-iterations 3'), wait('confirm_request'), confirm(), wait('idle'), rest, status],
);
measure(
  'loop-cancel',
  [done('r'), done('s')],
  [send('/loop on Work'), wait('confirm_request'), cancel, rest, status, send('More.'), rest, status],
);
measure('todo-empty', [call('todo_write', { todos: [] }), say('ok')], [send('Go.'), wait('idle'), rest]);
