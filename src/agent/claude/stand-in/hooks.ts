import type { Clock } from '../../../base/clock.ts';
import { answerOf, type HookAnswer, NONE, stronger } from './hook-answer.ts';
import { runHook } from './hook-run.ts';
import { type HookRule, isFor } from './hook-settings.ts';
import { type Fields, textOf } from './json.ts';
import type { Manners } from './manners.ts';

/** Calls the hooks of an event with a payload, as the manners say. The signal ends them. */
export type CallHooks = (event: string, payload: Fields, subject: string, signal?: AbortSignal) => Promise<HookAnswer>;

interface HookContext {
  readonly rules: ReadonlyMap<string, readonly HookRule[]>;
  readonly manners: Manners;
  readonly clock: Clock;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The caller of hooks for one process. */
export function hookCaller({ rules, manners, clock, cwd, env }: HookContext): CallHooks {
  const callOnce: CallHooks = async (event, payload, subject, signal) => {
    const found = (rules.get(event) ?? []).filter((rule) => isFor(rule, subject));
    const caller = { clock, cwd, signal, env: { ...env, CLAUDE_CODE_SESSION_ID: textOf(payload.session_id) ?? '' } };
    const ends = found.map(async ({ hook }) =>
      answerOf(hook, await runHook(hook, `${JSON.stringify(payload)}\n`, caller), event, manners.ignoresOnFailure),
    );
    return (await Promise.all(ends)).reduce(stronger, NONE);
  };
  return async (event, payload, subject, signal) => {
    if (manners.silent.includes(event)) return NONE;
    if (manners.hookMs > 0) await clock.sleep(manners.hookMs);
    const first = await callOnce(event, payload, subject, signal);
    const answer = manners.doubled ? stronger(first, await callOnce(event, payload, subject, signal)) : first;
    if (manners.dieOnHook === event) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
}
