import type { Call } from './tool.ts';

const TICK_MS = 5_000;

/** Waits for something and reports progress: clients give up on a silent call. */
export async function attend<T>(call: Call, what: string, timeoutMs: number, waited: Promise<T>): Promise<T> {
  const over = new AbortController();
  const fromMs = call.clock.steadyMs();
  const ticking = async (): Promise<void> => {
    for (let at = 0; !over.signal.aborted && !call.signal.aborted; at = call.clock.steadyMs() - fromMs) {
      const progress = Math.round(at / 1000);
      call.progress({ progress, total: Math.round(timeoutMs / 1000), message: `${what}: ${progress} s` });
      await call.clock.sleep(TICK_MS, AbortSignal.any([over.signal, call.signal]));
    }
  };
  void ticking();
  try {
    return await waited;
  } finally {
    over.abort();
  }
}
