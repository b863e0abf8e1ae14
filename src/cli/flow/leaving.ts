/** What tells a program to leave. */
export type Leaving = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The exit status of a program that left for it, as a shell counts. */
export const LEFT: Readonly<Record<Leaving, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Waits for something, or until we are told to leave: then gives the signal, and the wait is given up. */
export async function orLeave<T extends object>(work: (signal: AbortSignal) => Promise<T>): Promise<T | Leaving> {
  const done = new AbortController();
  const signals = Object.keys(LEFT) as Leaving[];
  let leave: (signal: NodeJS.Signals) => void = () => {};
  const told = new Promise<Leaving>((resolve) => {
    leave = (signal) => resolve(signal as Leaving);
  });
  for (const signal of signals) process.on(signal, leave);
  const working = work(done.signal);
  working.catch(() => {});
  try {
    return await Promise.race([working, told]);
  } finally {
    for (const signal of signals) process.off(signal, leave);
    done.abort();
  }
}
