/** What is ended together with this operating-system process. */
export interface EndsWithHost {
  shutdown(): Promise<void>;
  killNow(): void;
}

/** The part of `process` that signals its end. */
export type Host = Pick<NodeJS.Process, 'pid' | 'on' | 'off' | 'prependListener' | 'listenerCount' | 'kill'>;

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Shuts down when n8n does. n8n's own handling of signals stays: we only listen, before it, and never exit. Where
 * nobody else listens, the mere presence of our listener would keep the process alive, so the signal is sent again,
 * without us, once everything is down. On `exit` nothing asynchronous runs any more: what is left is killed.
 *
 * @returns takes all listeners away again
 */
export function endWithHost(ending: EndsWithHost, host: Host = process): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    // We come first, so listeners that are called once have not been removed yet.
    const isOurs = host.listenerCount(signal) === 1;
    void ending.shutdown().finally(() => {
      if (!isOurs) return;
      host.off(signal, onSignal);
      host.kill(host.pid, signal);
    });
  };
  const onBeforeExit = () => void ending.shutdown();
  const onExit = () => ending.killNow();
  for (const signal of signals) host.prependListener(signal, onSignal);
  host.on('beforeExit', onBeforeExit);
  host.on('exit', onExit);
  return () => {
    for (const signal of signals) host.off(signal, onSignal);
    host.off('beforeExit', onBeforeExit);
    host.off('exit', onExit);
  };
}
