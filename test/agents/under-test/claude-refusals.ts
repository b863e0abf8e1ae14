import type { Refusal, RefusalReason } from '../model-proxy.ts';

/** How the Messages API refuses. */
export function claudeRefusal(reason: RefusalReason): Refusal {
  switch (reason.is) {
    case 'limited': {
      const claim = reason.window === 'weekly' ? 'seven_day' : 'five_hour';
      return { ...error(429, 'rate_limit_error', 'too many tokens'), headers: limitHeaders(reason.untilMs, claim) };
    }
    case 'login':
      return error(401, 'authentication_error', 'invalid x-api-key');
    case 'billing':
      return bad('Your credit balance is too low to access the Anthropic API.');
    case 'too-long':
      return bad('prompt is too long: 210000 tokens > 200000 maximum');
    case 'poisoned':
      return bad('messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01');
    case 'invalid':
      return bad('messages: at least one is odd');
  }
}

/** Only a subscription has usage limits; with an API key the same error means a rate limit. */
export function subscribed(env: Record<string, string>): Record<string, string> {
  const { ANTHROPIC_API_KEY: _, ...rest } = env;
  return { ...rest, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' };
}

/** An invalid request. */
export function bad(message: string): Refusal {
  return error(400, 'invalid_request_error', message);
}

function error(status: number, type: string, message: string): Refusal {
  return { status, body: { type: 'error', error: { type, message } } };
}

function limitHeaders(untilMs: number, claim: string): Record<string, string> {
  const name = 'anthropic-ratelimit-unified';
  return {
    [`${name}-status`]: 'rejected',
    [`${name}-reset`]: String(untilMs / 1000),
    [`${name}-representative-claim`]: claim,
    [`${name}-overage-status`]: 'rejected',
  };
}
