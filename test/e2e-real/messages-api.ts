import { answerOf, eventsOf } from './answer.ts';
import type { AskedModel, ModelApi } from './model-api.ts';
import type { Message } from './story.ts';

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name?: string }[];
  readonly messages: readonly Message[];
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
  readonly output_config?: { readonly effort?: string };
  readonly system?: string | readonly { readonly text?: string }[];
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** The Messages API, as Claude Code uses it. */
export const MESSAGES_API: ModelApi = {
  path: '/v1/messages',
  read: (body, headers) => read(body as Body, headers['x-claude-code-session-id']?.toString() ?? null),
  events: (step, { model }) => eventsOf(answerOf(step, model), step.pace !== undefined),
  isPiece: ({ type }) => type === 'content_block_delta',
  ping: { type: 'ping' },
  whole: (step, { model }) => answerOf(step, model),
  error: (status, message) => ({ type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message } }),
  other: (_, path) => (path === '/v1/messages/count_tokens' ? { input_tokens: 10 } : null),
};

function read(
  { model, stream, tools = [], messages, system = '', ...more }: Body,
  conversation: string | null,
): AskedModel {
  const { thinking, output_config: output } = more;
  return {
    conversation,
    model,
    messages,
    tools: tools.map(({ name = '' }) => name),
    isStream: stream === true,
    system: typeof system === 'string' ? system : system.map(({ text = '' }) => text).join('\n'),
    thinking: [thinking?.type ?? 'none', thinking?.budget_tokens ?? output?.effort ?? ''].join(' ').trim(),
  };
}
