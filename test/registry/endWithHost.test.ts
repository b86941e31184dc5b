import { EventEmitter } from 'node:events';
import { endWithHost, type Host } from '../../chord/registry/endWithHost';
import { settle } from '../session/support/promises';

class FakeHost extends EventEmitter {
  readonly pid = 4711;

  readonly killed: unknown[] = [];

  kill(...args: unknown[]): boolean {
    this.killed.push(args);
    return true;
  }
}

function setUp() {
  const host = new FakeHost();
  const calls: string[] = [];
  const ending = {
    shutdown: () => {
      calls.push('shutdown');
      return Promise.resolve();
    },
    killNow: () => void calls.push('killNow'),
  };
  const leave = endWithHost(ending, host as unknown as Host);
  return { host, calls, leave };
}

test.each(['SIGTERM', 'SIGINT'])("%s shuts down and leaves n8n's own handling alone", async (signal) => {
  const { host, calls } = setUp();
  // As n8n listens: once.
  host.once(signal, () => calls.push('n8n'));
  host.emit(signal, signal);
  await settle();
  expect(calls).toEqual(['shutdown', 'n8n']);
  expect(host.killed).toEqual([]);
});

test('a host without a handler of its own still ends by the signal, after the shutdown', async () => {
  const { host } = setUp();
  host.emit('SIGTERM', 'SIGTERM');
  expect(host.killed).toEqual([]);
  await settle();
  expect(host.killed).toEqual([[4711, 'SIGTERM']]);
  expect(host.listenerCount('SIGTERM')).toBe(0);
});

test('a normal end shuts down, and what is left at the exit is killed', () => {
  const { host, calls } = setUp();
  host.emit('beforeExit', 0);
  host.emit('exit', 0);
  expect(calls).toEqual(['shutdown', 'killNow']);
});

test('no listener is left behind', () => {
  const { host, leave } = setUp();
  leave();
  expect(host.eventNames()).toEqual([]);
});
