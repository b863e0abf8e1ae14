import type { Refusal, RefusalReason } from '../model-proxy.ts';
import { opencodeRefusal } from './opencode-refusals.ts';

/** How a Chat Completions API refuses. Copilot passes on the message only, so the end of a limit is in it. */
export function copilotRefusal(reason: RefusalReason): Refusal {
  if (reason.is !== 'limited') return opencodeRefusal(reason);
  const message = `You have exceeded your usage limit, resets at ${Math.floor(reason.untilMs / 1_000)}`;
  return { status: 429, body: { error: { message, type: 'rate_limit', code: 'rate_limit' } } };
}
