import type { Clock } from '../../client/clock.ts';
import { durationText } from '../../present/duration.ts';
import type { Print } from '../base/print.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
// Anything faster needs no spinner; it would only flicker.
const QUIET_MS = 300;

interface Waiting {
  readonly print: Print;
  readonly clock: Clock;
  readonly json: boolean;
}

/** Waits with a line on stderr that shows what for and how long; silent without a terminal or with --json. */
export async function spin<T>(context: Waiting, what: string, work: Promise<T>): Promise<T> {
  const { print, clock } = context;
  if (context.json || !print.stderr.isTty) return work;
  const over = new AbortController();
  const turning = turn(print, clock, what, over.signal);
  try {
    return await work;
  } finally {
    over.abort();
    await turning;
  }
}

async function turn(print: Print, clock: Clock, what: string, signal: AbortSignal): Promise<void> {
  const sinceMs = clock.steadyMs();
  await clock.sleep(QUIET_MS, signal);
  for (let frame = 0; !signal.aborted; frame += 1) {
    await print.stderr.write(
      `\r\x1b[K${FRAMES[frame % FRAMES.length]} ${what} … ${durationText(clock.steadyMs() - sinceMs)}`,
    );
    await clock.sleep(FRAME_MS, signal);
  }
  await print.stderr.write('\r\x1b[K');
}
