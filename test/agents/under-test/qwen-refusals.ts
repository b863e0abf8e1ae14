import type { Refusal, RefusalReason } from '../model-proxy.ts';

/** How a Chat Completions API refuses, in words that Qwen Code knows where it knows some. */
export function qwenRefusal(reason: RefusalReason): Refusal {
  switch (reason.is) {
    case 'limited': {
      const until = new Date(reason.untilMs)
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z/, ' UTC');
      const which = reason.window === 'weekly' ? 'weekly' : '5-hour';
      return error(
        429,
        'quota_exceeded',
        `${which} quota exceeded, you hit your usage limit. It will reset at ${until}.`,
      );
    }
    case 'login':
      return error(401, 'invalid_api_key', 'Incorrect API key provided');
    case 'billing':
      return error(402, 'insufficient_quota', 'Insufficient credit balance');
    case 'too-long':
      return error(400, 'context_length_exceeded', "This model's maximum context length is 8192 tokens");
    case 'poisoned':
    case 'invalid':
      return error(400, 'invalid_request_error', 'input: at least one is odd');
  }
}

function error(status: number, code: string, message: string): Refusal {
  return { status, body: { error: { message, type: code, code } } };
}
