import type { Clock } from '../base/clock.ts';
import { type HookCommand, type HookEnd, runHook } from './hook-run.ts';
import { type HookRule, isFor } from './hook-settings.ts';
import { type Fields, fieldsOf, readJson, textOf } from './json.ts';
import type { Manners } from './manners.ts';

/** What the hooks of one event decided together. A denial beats everything. */
export interface HookAnswer {
  readonly decision: 'none' | 'allow' | 'ask' | 'deny';
  readonly reason: string;
  readonly input: Fields | null;
}

/** Calls the hooks of an event with a payload, in the way its manners have it. */
export type CallHooks = (event: string, payload: Fields, subject: string) => Promise<HookAnswer>;

interface Around {
  readonly rules: ReadonlyMap<string, readonly HookRule[]>;
  readonly manners: Manners;
  readonly clock: Clock;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const NONE: HookAnswer = { decision: 'none', reason: '', input: null };
const STRENGTH = ['none', 'allow', 'ask', 'deny'];

/** The caller of hooks for one process. */
export function hookCaller({ rules, manners, clock, cwd, env }: Around): CallHooks {
  const callOnce = async (event: string, payload: Fields, subject: string): Promise<HookAnswer> => {
    const found = (rules.get(event) ?? []).filter((rule) => isFor(rule, subject));
    const around = { clock, cwd, env: { ...env, CLAUDE_CODE_SESSION_ID: textOf(payload.session_id) ?? '' } };
    const ends = found.map(async ({ hook }) =>
      answerOf(hook, await runHook(hook, `${JSON.stringify(payload)}\n`, around), event),
    );
    return (await Promise.all(ends)).reduce(stronger, NONE);
  };
  return async (event, payload, subject) => {
    if (manners.silent.includes(event)) return NONE;
    if (manners.hookMs > 0) await clock.sleep(manners.hookMs);
    const first = await callOnce(event, payload, subject);
    const answer = manners.doubled ? stronger(first, await callOnce(event, payload, subject)) : first;
    if (manners.dieOnHook === event) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
}

function stronger(a: HookAnswer, b: HookAnswer): HookAnswer {
  return STRENGTH.indexOf(b.decision) > STRENGTH.indexOf(a.decision) ? b : a;
}

function answerOf(hook: HookCommand, end: HookEnd, event: string): HookAnswer {
  if (end.status === 2) return deny(`[${hook.command}]: ${end.stderr}`);
  const said = end.stdout.trim();
  const output = fieldsOf(readJson(said));
  const isBroken = end.status !== 0 || (said.startsWith('{') && Object.keys(output).length === 0);
  if (isBroken && hook.onFailure === 'block')
    return deny(`[${hook.command}]: ${end.late ? 'timed out' : 'failed'}; blocking because onFailure is "block"`);
  // Whatever else goes wrong with a hook lets the tool run.
  return isBroken ? NONE : decisionOf(output, event);
}

function decisionOf(output: Fields, event: string): HookAnswer {
  const specific = fieldsOf(output.hookSpecificOutput);
  if (output.decision === 'block') return deny(textOf(output.reason) ?? '');
  // Without the name of the event the real one ignores what is specific to it.
  if (specific.hookEventName !== event) return NONE;
  const asked = fieldsOf(specific.decision);
  const decision = textOf(specific.permissionDecision) ?? textOf(asked.behavior);
  const reason = textOf(specific.permissionDecisionReason) ?? textOf(asked.message) ?? '';
  const input = 'updatedInput' in specific ? fieldsOf(specific.updatedInput) : null;
  return decision === 'allow' || decision === 'ask' || decision === 'deny' ? { decision, reason, input } : NONE;
}

function deny(reason: string): HookAnswer {
  return { decision: 'deny', reason, input: null };
}
