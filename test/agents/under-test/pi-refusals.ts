import type { Refusal, RefusalReason } from '../model-proxy.ts';
import { opencodeRefusal } from './opencode-refusals.ts';

/** How a Chat Completions API refuses. pi passes on the body only, so the end of a limit is in it. */
export function piRefusal(reason: RefusalReason): Refusal {
  if (reason.is !== 'limited') return opencodeRefusal(reason);
  const resets_at = Math.floor(reason.untilMs / 1_000);
  const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached', resets_at };
  return { status: 429, body: { error } };
}
