import { OutlastError } from '../base/errors.ts';
import type { ConverseOptions, Outlast, Replied, StartInput } from './client.ts';
import type { Session } from './handle.ts';

/** How to work through many prompts. */
export interface FanOptions extends Pick<ConverseOptions, 'timeoutMs' | 'throughLimits'> {
  /** At once, 1 or more; 8. */
  readonly concurrency?: number;
  /** With a key, doing it again finds the sessions of the first time: what is answered is not asked again. */
  readonly key?: string;
  /** Ends the wait. Sessions go on, unless `stop` says otherwise. */
  readonly signal?: AbortSignal;
  /** When the signal fires, stop the sessions that were started too. */
  readonly stop?: boolean;
  /** Called as replies come. */
  readonly onResult?: (result: Fanned) => void;
}

/** What became of one of many: its reply, or why there is none. */
export interface Fanned {
  readonly index: number;
  readonly session: Session | null;
  readonly replied: Replied | null;
  readonly error: OutlastError | null;
}

const AT_ONCE = 8;

/** Starts a session for each part, so many at once, and gives what became of each, in the order of the parts. */
export async function fanOut(
  outlast: Outlast,
  parts: readonly (StartInput & { readonly prompt: string })[],
  options: FanOptions = {},
): Promise<Fanned[]> {
  const { concurrency = AT_ONCE } = options;
  if (!(concurrency >= 1))
    throw new OutlastError('input_invalid', `concurrency: ${concurrency} is no number from 1 on`);
  const results: Fanned[] = [];
  const begun: Session[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next; index < parts.length; index = next) {
      next += 1;
      const part = parts[index];
      if (part === undefined) return;
      const result = await runPart(outlast, { ...keyed(options.key, index), ...part }, index, options, begun);
      results[index] = result;
      options.onResult?.(result);
    }
  };
  const going = Array.from({ length: Math.min(concurrency, parts.length) }, work);
  try {
    await Promise.all(going);
  } catch (error) {
    // Nothing more is begun, also by those that are still at work.
    next = parts.length;
    if (options.stop && options.signal?.aborted) {
      await Promise.allSettled(going);
      await stopAll(begun);
    }
    throw error;
  }
  return results;
}

/** The key of one of several starts. */
export function keyed(key: string | undefined, index: number): { key?: string } {
  return key === undefined ? {} : { key: `${key}-${index}` };
}

/**
 * What a start is given up by. What is to be stopped must be known: a start that somebody turned away from may have
 * happened all the same.
 */
export function startSignal({ signal, stop }: Pick<FanOptions, 'signal' | 'stop'>): AbortSignal | undefined {
  signal?.throwIfAborted();
  return stop ? undefined : signal;
}

/** Stops sessions; one that has ended already is no matter. */
export async function stopAll(sessions: readonly Session[]): Promise<void> {
  await Promise.allSettled(sessions.map((session) => session.stop({ wait: false })));
}

// One that cannot be started, or fails, is no reason to give up the others.
async function runPart(
  outlast: Outlast,
  part: StartInput,
  index: number,
  options: FanOptions,
  begun: Session[],
): Promise<Fanned> {
  const { signal, timeoutMs, throughLimits } = options;
  let session: Session | null = null;
  try {
    session = await outlast.start({ agent: '', keepOpen: false, ...part }, startSignal(options));
    begun.push(session);
    const replied = await session.reply({ timeoutMs, throughLimits }, signal);
    return { index, session, replied, error: null };
  } catch (error) {
    if (signal?.aborted || !(error instanceof OutlastError)) throw error;
    return { index, session, replied: null, error };
  }
}
