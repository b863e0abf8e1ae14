/** Time as the product sees it. The only Date.now and setTimeout in src/ are in this file. */
export interface Clock {
  /** The time of day. Only for people, and for things that happen at a time of day. */
  wallMs(): number;
  /**
   * Milliseconds for which this machine has been awake; it never goes back, not even over a reboot. All ages use it.
   */
  steadyMs(): number;
  /** Resolves after this time, or at once when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Longer timers overflow, and a machine that slept should look again soon anyway. */
const TIMER_MS_MAX = 3_600_000;

/** The real clock. `originMs` is added to the kernel's monotonic time, so that steady time continues after a reboot. */
export function realClock(originMs = 0): Clock {
  return {
    wallMs: () => Date.now(),
    steadyMs: () => Math.floor(monotonicMs() + originMs),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, Math.min(Math.max(ms, 0), TIMER_MS_MAX));
        signal?.addEventListener('abort', done, { once: true });
      }),
  };
}

/** The clock of a browser, which has no kernel clock. */
export function browserClock(): Clock {
  return { ...realClock(), steadyMs: () => Math.floor(performance.now()) };
}

/** The kernel's monotonic clock: stops while the machine sleeps, restarts at boot, the same for all processes. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
