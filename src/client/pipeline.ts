import type { Outlast, Replied, StartInput } from './client.ts';
import { type FanOptions, keyed, startSignal, stopAll } from './fan-out.ts';
import type { Session } from './handle.ts';

/** One step: what to start, and its prompt, which may be made from the reply of the step before. */
export type PipelineStep = Omit<StartInput, 'prompt' | 'after'> & {
  /** The reply is not known yet when this is called: insert it, do not parse it. */
  readonly prompt: string | ((reply: string) => string);
};

/**
 * Starts all steps at once, each to begin when the one before has answered, and waits for their replies. The daemon
 * owns the steps from then on: they continue when the caller is gone. Ends with the first step that did not answer.
 */
export async function pipeline(
  outlast: Outlast,
  steps: readonly PipelineStep[],
  options: Omit<FanOptions, 'concurrency' | 'onResult'> = {},
): Promise<Replied[]> {
  const { signal, timeoutMs, throughLimits } = options;
  const sessions: Session[] = [];
  const replies: Replied[] = [];
  try {
    for (const [index, step] of steps.entries())
      sessions.push(await begin(outlast, step, sessions.at(-1), keyed(options.key, index), startSignal(options)));
    for (const session of sessions) {
      const replied = await session.reply({ timeoutMs, throughLimits }, signal);
      replies.push(replied);
      if (replied.met !== 'answered') break;
    }
  } catch (error) {
    if (options.stop && signal?.aborted) await stopAll(sessions);
    throw error;
  }
  return replies;
}

function begin(
  outlast: Outlast,
  { prompt, ...step }: PipelineStep,
  before: Session | undefined,
  key: { key?: string },
  signal: AbortSignal | undefined,
): Promise<Session> {
  const text = typeof prompt === 'string' ? prompt : prompt(before === undefined ? '' : `{{${before.id}.reply}}`);
  const after = before === undefined ? [] : [before.id];
  return outlast.start({ agent: '', keepOpen: false, ...key, ...step, after, prompt: text }, signal);
}
