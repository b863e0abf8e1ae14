import { OutlastError } from '../base/errors.ts';
import type { ConverseOptions, Outlast, Replied, StartInput } from './client.ts';
import type { Session } from './handle.ts';

/** How to work through many prompts. */
export interface FanOptions extends Pick<ConverseOptions, 'timeoutMs' | 'throughLimits'> {
  /** How many at once, 1 or more; default 8. */
  readonly concurrency?: number;
  /** With a key, a second call finds the sessions of the first: answered prompts are not repeated. */
  readonly key?: string;
  /** Ends the wait. Sessions keep running, unless `stop` says otherwise. */
  readonly signal?: AbortSignal;
  /** When the signal fires, stop the sessions that were started too. */
  readonly stop?: boolean;
  /** Called with each reply as it comes. */
  readonly onResult?: (result: Fanned) => void;
}

/** The result of one part: its reply, or why there is none. */
export interface Fanned {
  readonly index: number;
  readonly session: Session | null;
  readonly replied: Replied | null;
  readonly error: OutlastError | null;
}

const AT_ONCE = 8;

/** Starts a session for each part, a limited number at once, and returns the results in the order of the parts. */
export async function fanOut(
  outlast: Outlast,
  parts: readonly (StartInput & { readonly prompt: string })[],
  options: FanOptions = {},
): Promise<Fanned[]> {
  const { concurrency = AT_ONCE } = options;
  if (!(concurrency >= 1))
    throw new OutlastError('input_invalid', `concurrency: ${concurrency} is not a number of 1 or more`);
  const results: Fanned[] = [];
  const started: Session[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next; index < parts.length; index = next) {
      next += 1;
      const part = parts[index];
      if (part === undefined) return;
      const result = await runPart(outlast, { ...keyed(options.key, index), ...part }, index, options, started);
      results[index] = result;
      options.onResult?.(result);
    }
  };
  const going = Array.from({ length: Math.min(concurrency, parts.length) }, work);
  try {
    await Promise.all(going);
  } catch (error) {
    // Starts nothing more, also in the other loops.
    next = parts.length;
    if (options.stop && options.signal?.aborted) {
      await Promise.allSettled(going);
      await stopAll(started);
    }
    throw error;
  }
  return results;
}

/** The key for one of several starts. */
export function keyed(key: string | undefined, index: number): { key?: string } {
  return key === undefined ? {} : { key: `${key}-${index}` };
}

/**
 * The signal for a start. When sessions are to be stopped, a start is not aborted: it may succeed all the same, and its
 * session must be known.
 */
export function startSignal({ signal, stop }: Pick<FanOptions, 'signal' | 'stop'>): AbortSignal | undefined {
  signal?.throwIfAborted();
  return stop ? undefined : signal;
}

/** Stops sessions; one that has already ended is ignored. */
export async function stopAll(sessions: readonly Session[]): Promise<void> {
  await Promise.allSettled(sessions.map((session) => session.stop({ wait: false })));
}

// A part that cannot be started, or fails, does not end the others.
async function runPart(
  outlast: Outlast,
  part: StartInput,
  index: number,
  options: FanOptions,
  started: Session[],
): Promise<Fanned> {
  const { signal, timeoutMs, throughLimits } = options;
  let session: Session | null = null;
  try {
    session = await outlast.start({ agent: '', keepOpen: false, ...part }, startSignal(options));
    started.push(session);
    const replied = await session.reply({ timeoutMs, throughLimits }, signal);
    return { index, session, replied, error: null };
  } catch (error) {
    if (signal?.aborted || !(error instanceof OutlastError)) throw error;
    return { index, session, replied: null, error };
  }
}
