import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { StreamEvent } from './answer.ts';
import type { AskedModel, ModelApi } from './model-api.ts';
import type { Block, Message, Step, ToolCall } from './story.ts';

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
  readonly messages: readonly ChatMessage[];
  readonly reasoning_effort?: string;
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly Block[] | null;
  readonly tool_calls?: readonly unknown[];
}

/** The content of an answer. */
interface Answer {
  readonly text: string | null;
  readonly calls: readonly ToolCall[];
}

const PIECE_CHARS = 20;

/** The Chat Completions API, as OpenCode uses it. */
export const CHAT_API: ModelApi = {
  path: '/v1/chat/completions',
  read: (body, headers) => read(body as Body, conversationIn(headers)),
  events: (step, { model }) => eventsOf(answerOf(step), model, step.pace !== undefined),
  isPiece: ({ choices }) => (choices as readonly { finish_reason: string | null }[])[0]?.finish_reason === null,
  ping: { type: 'ping', id: 'ping', choices: [] },
  whole: (step, { model }) => wholeOf(answerOf(step), model),
  error: (status, message) => ({ error: { message, type: status === 429 ? 'rate_limit' : 'invalid_request_error' } }),
  other: (_, path) => (path === '/v1/models' ? { object: 'list', data: [] } : null),
};

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function conversationIn(headers: IncomingHttpHeaders): string | null {
  return (headers['x-session-affinity'] ?? headers['x-opencode-session'])?.toString() ?? null;
}

function read({ model, stream, tools = [], messages, reasoning_effort }: Body, id: string | null): AskedModel {
  return {
    conversation: id,
    model,
    messages: messages.map(messageOf),
    tools: tools.map((each) => each.function?.name ?? ''),
    isStream: stream === true,
    system: messages.flatMap((each) => (each.role === 'system' ? textsOf(each) : [])).join('\n'),
    thinking: reasoning_effort ?? 'none',
  };
}

/** Only messages of the user have prompts. */
function messageOf(message: ChatMessage): Message {
  const { role, tool_calls: calls = [] } = message;
  const texts = textsOf(message).map((text): Block => ({ type: 'text', text }));
  if (role === 'user') return { role, content: texts };
  if (role !== 'assistant') return { role: 'other', content: role === 'tool' ? texts : [] };
  return { role, content: [...texts, ...calls.map((): Block => ({ type: 'tool_use' }))] };
}

function textsOf({ content }: ChatMessage): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  return (content ?? []).flatMap(({ text }) => text ?? []);
}

function answerOf(step: Step): Answer {
  const calls = step.tools ?? (step.tool === undefined ? [] : [{ tool: step.tool, input: step.input ?? {} }]);
  return { calls, text: calls.length > 0 ? (step.say ?? null) : (step.text ?? 'done') };
}

function wholeOf({ text, calls }: Answer, model: string): unknown {
  const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls.map(callOf) }) };
  return { ...headOf(model), choices: [{ index: 0, message, finish_reason: reasonOf(calls) }], usage: USAGE };
}

function eventsOf({ text, calls }: Answer, model: string, isPaced: boolean): StreamEvent[] {
  const head = { type: 'chunk', ...headOf(model) };
  const event = (delta: object): StreamEvent => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] });
  const pieces = isPaced ? (text?.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARS}}`, 'gu')) ?? []) : [text];
  return [
    ...pieces.flatMap((content) => (content === null ? [] : event({ role: 'assistant', content }))),
    ...calls.map((call, index) => event({ role: 'assistant', tool_calls: [{ index, ...callOf(call) }] })),
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: reasonOf(calls) }], usage: USAGE },
  ];
}

function headOf(model: string): object {
  return { id: `chatcmpl-${short()}`, object: 'chat.completion.chunk', created: 0, model };
}

function callOf({ tool, input }: ToolCall): object {
  return { id: `call_${short()}`, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } };
}

function reasonOf(calls: readonly ToolCall[]): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function short(): string {
  return randomUUID().replaceAll('-', '').slice(0, 20);
}
