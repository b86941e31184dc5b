import type { Pin } from '../../../chord/registry/pin/PinStore';
import { planStart } from '../../../chord/registry/start/startPlan';

const pin = (content: Pin['content']): Pin => ({
  version: 1,
  key: 'k',
  session_id: 's1',
  content,
  project_directory: '/p',
  previous_session_id: '',
  updated_at: '',
});

const start = (mode: 'continue' | 'new' | 'resume' | 'latest', sessionId = '') => ({ mode, sessionId });

test.each([
  ['continue without a pin', start('continue'), undefined, { kind: 'new', content: 'empty' }],
  [
    'continue of a session without messages',
    start('continue'),
    pin('empty'),
    { kind: 'new', content: 'empty' },
  ],
  [
    'continue of a session with messages',
    start('continue'),
    pin('used'),
    { kind: 'resume', sessionId: 's1', content: 'used', orNew: false },
  ],
  [
    'continue of a session that Chord had chosen',
    start('continue'),
    pin('unknown'),
    { kind: 'resume', sessionId: 's1', content: 'unknown', orNew: true },
  ],
  ['new', start('new'), pin('used'), { kind: 'new', content: 'empty' }],
  [
    'resume',
    start('resume', ' s2 '),
    pin('used'),
    { kind: 'resume', sessionId: 's2', content: 'used', orNew: false },
  ],
  ['latest', start('latest'), pin('used'), { kind: 'latest', content: 'unknown' }],
] as const)('%s', (_, request, pinned, expected) => {
  expect(planStart(request, pinned)).toMatchObject(expected);
});

test.each(['', '  ', '-c'])('resume of "%s" is refused', (id) => {
  expect(() => planStart(start('resume', id), undefined)).toThrow(/session id/i);
});
