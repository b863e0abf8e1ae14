import type { Refusal, RefusalReason } from '../model-proxy.ts';

/** How the Responses API refuses: with a status, or in its stream. */
export function codexRefusal(reason: RefusalReason): Refusal {
  switch (reason.is) {
    case 'limited':
      return limited(reason.untilMs, reason.window === 'weekly' ? 10_080 : 300);
    case 'login':
      return error(401, 'invalid_api_key', 'Incorrect API key provided');
    case 'billing':
      return failed('insufficient_quota', 'You exceeded your current quota');
    case 'too-long':
      return failed('context_length_exceeded', 'Your input exceeds the context window of this model.');
    case 'poisoned':
    case 'invalid':
      return error(400, 'invalid_request_error', 'input: at least one is odd');
  }
}

/** The headers say how much of each window is used, and when it ends. */
function limited(untilMs: number, minutes: number): Refusal {
  const resetsAt = Math.round(untilMs / 1_000);
  return {
    status: 429,
    headers: {
      'x-codex-primary-used-percent': '100',
      'x-codex-primary-window-minutes': String(minutes),
      'x-codex-primary-reset-at': String(resetsAt),
      'x-codex-primary-reset-after-seconds': String(resetsAt - Math.round(Date.now() / 1_000)),
    },
    body: { error: { type: 'usage_limit_reached', message: 'usage limit', plan_type: 'plus', resets_at: resetsAt } },
  };
}

function error(status: number, code: string, message: string): Refusal {
  return { status, body: { error: { message, type: code, code } } };
}

function failed(code: string, message: string): Refusal {
  const event = { type: 'response.failed', response: { id: 'resp_0', status: 'failed', error: { code, message } } };
  return { status: 200, body: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n` };
}
