/** Signals that end a program. */
export type Leaving = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The exit status after such a signal, as a shell reports it. */
export const LEFT: Readonly<Record<Leaving, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Waits for something or for a signal; returns the signal, and then the wait is aborted. */
export async function orLeave<T extends object>(work: (signal: AbortSignal) => Promise<T>): Promise<T | Leaving> {
  const done = new AbortController();
  const signals = Object.keys(LEFT) as Leaving[];
  let leave: (signal: NodeJS.Signals) => void = () => {};
  const signalled = new Promise<Leaving>((resolve) => {
    leave = (signal) => resolve(signal as Leaving);
  });
  for (const signal of signals) process.on(signal, leave);
  const working = work(done.signal);
  working.catch(() => {});
  try {
    return await Promise.race([working, signalled]);
  } finally {
    for (const signal of signals) process.off(signal, leave);
    done.abort();
  }
}
