import { call, scripted, type Played } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

const SLOW = scripted({
  Slow: { text: 'slow slow slow', chunk_chars: 1, chunk_delay_ms: 1000 },
  Hello: { text: 'Hello.' },
});

const play = (scenario = SLOW) => ground.play('d2-receipts', scenario);

const receipts = (of: Played) => of.payloads('input_result');

describe('receipts of inputs', () => {
  it('say that a turn began, before its work is seen', async () => {
    const one = play();
    const id = one.send('Hello');
    await one.next('idle');
    expect(receipts(one)).toEqual([{ request_id: id, status: 'started', turn_id: 1 }]);
    expect(one.lines[1]!.type).toBe('input_result');
  });

  it('are not given to an input without an id, nor by builds before them', async () => {
    const one = play();
    one.tell({ type: 'send', content: 'Hello' });
    await one.next('idle');
    expect(receipts(one)).toEqual([]);
    const earlier = ground.play('d2', SLOW);
    earlier.send('Hello');
    await earlier.next('idle');
    expect(receipts(earlier)).toEqual([]);
  });

  it('say that an input was queued, once', async () => {
    const one = play();
    one.send('Slow');
    await one.next('activity', { type: 'streaming' });
    const id = one.send('Hello');
    await one.clock.advance(60_000);
    await one.next('idle');
    expect(receipts(one).filter(({ request_id }) => request_id === id)).toEqual([
      { request_id: id, status: 'queued' },
    ]);
    expect(one.payloads('assistant_message').map(({ text }) => text)).toEqual(['slow slow slow', 'Hello.']);
  });

  it.each(['/models', '/help', '/compact', '/new', '/loop off'])('say that %s was handled', async (text) => {
    const one = play();
    const id = one.send(text);
    await one.settle();
    expect(receipts(one)).toEqual([{ request_id: id, status: 'handled' }]);
  });

  it('say that `/loop on` was handled, and then it works', async () => {
    const one = play(scripted({ LOOP: { text: 'Slow.', chunk_chars: 1, chunk_delay_ms: 1000 } }));
    const id = one.send('/loop on tidy');
    await one.next('activity', { type: 'streaming' });
    expect(receipts(one)).toEqual([{ request_id: id, status: 'handled' }]);
  });

  it('queue a command that has to wait until the agent is idle', async () => {
    const one = play();
    one.send('Slow');
    await one.next('activity', { type: 'streaming' });
    const id = one.send('/new');
    await one.settle();
    expect(receipts(one).at(-1)).toEqual({ request_id: id, status: 'queued' });
    await one.clock.advance(60_000);
    await one.next('session_switched');
    await one.next('idle');
    expect(receipts(one)).toHaveLength(2);
  });

  it.each(['/export x.md', '/resume', '/mcp'])('refuse %s, then say why', async (text) => {
    const one = play();
    const id = one.send(text);
    await one.settle();
    expect(receipts(one)).toMatchObject([{ request_id: id, status: 'rejected' }]);
    expect(one.types.slice(-2)).toEqual(['input_result', 'error']);
  });

  it('refuse an empty input', async () => {
    const one = play();
    one.send(' \u0085 ');
    await one.settle();
    expect(receipts(one)).toMatchObject([{ status: 'rejected', message: 'empty input' }]);
  });

  it('of a refused input leave an open request alone', async () => {
    const one = play(scripted({ Commit: call('shell', { command: 'git commit --allow-empty -m x' }) }));
    one.send('Commit');
    const { payload } = await one.next('confirm_request');
    one.send('/export x.md');
    one.send('');
    expect((await one.status()).pending_confirm).toMatchObject({ request_id: payload.request_id });
  });

  it('say queued for the first input after a cancel, though it runs at once', async () => {
    const one = play();
    one.send('Slow');
    await one.next('activity', { type: 'streaming' });
    one.tell({ type: 'cancel' });
    await one.next('idle');
    const id = one.send('Hello');
    await one.next('idle');
    expect(receipts(one).filter(({ request_id }) => request_id === id)).toEqual([
      { request_id: id, status: 'queued' },
    ]);
    const next = one.send('Hello');
    await one.next('idle');
    expect(receipts(one).at(-1)).toEqual({ request_id: next, status: 'started', turn_id: 3 });
  });

  it('say that an input was cancelled before its first request', async () => {
    const one = play();
    const id = one.send('Hello');
    one.tell({ type: 'cancel' });
    await one.next('idle');
    expect(receipts(one)).toMatchObject([{ request_id: id, status: 'rejected', turn_id: 1 }]);
    expect(one.types).not.toContain('assistant_message');
  });
});
