/** How the rig tells a person what it is doing. */
export interface Progress {
  /** A finished fact or a heading: one line. */
  note: (text: string) => void;
  /**
   * Runs something that takes long, and keeps saying that it is still running, so that nobody takes silence for a
   * hang. `detail` may add a word about how far it is.
   */
  during<T>(text: string, work: () => Promise<T>, detail?: () => Promise<string>): Promise<T>;
}

/** How often a running step says so where lines cannot be overwritten (a log file, CI), in milliseconds. */
const LOG_EVERY_MS = 15_000;
/** How often the one line is rewritten on a terminal, in milliseconds. */
const TERMINAL_EVERY_MS = 1_000;

const seconds = (since: number) => `${Math.round((Date.now() - since) / 1000)} s`;

/** Progress written to a stream: one line that renews itself on a terminal, a line now and then elsewhere. */
export function printProgress(stream: NodeJS.WriteStream = process.stdout): Progress {
  const terminal = stream.isTTY;
  const renew = (line: string) => stream.write(terminal ? `\r\u001b[2K${line}` : `${line}\n`);
  return {
    note: (text) => void stream.write(`${text}\n`),
    async during(text, work, detail) {
      const started = Date.now();
      if (terminal) renew(`  ${text} …`);
      else stream.write(`  ${text} …\n`);
      const timer = setInterval(
        () =>
          void Promise.resolve(detail?.() ?? '')
            .catch(() => '')
            .then((more) => renew(`  ${text} … ${seconds(started)}${more && `, ${more}`}`)),
        terminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS,
      );
      try {
        const result = await work();
        clearInterval(timer);
        renew(`✓ ${text} (${seconds(started)})`);
        if (terminal) stream.write('\n');
        return result;
      } catch (error) {
        clearInterval(timer);
        renew(`✗ ${text} (${seconds(started)})`);
        if (terminal) stream.write('\n');
        throw error;
      }
    },
  };
}
