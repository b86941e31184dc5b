/** How often to look, in milliseconds. */
const INTERVAL = 1000;

/** Calls `gone` once the parent process is another one than at the start, or is process 1 (measured: even if it always was). */
export function watchParent(gone: () => void, parent: () => number = () => process.ppid): void {
  const first = parent();
  const timer = setInterval(() => {
    const now = parent();
    if (now !== 1 && now === first) return;
    clearInterval(timer);
    gone();
  }, INTERVAL);
  timer.unref();
}
