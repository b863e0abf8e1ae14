import { randomUUID } from 'node:crypto';
import type { StreamEvent } from './answer.ts';
import type { AskedModel, ModelApi } from './model-api.ts';
import type { Block, Message, Step } from './story.ts';

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly instructions?: string;
  readonly tools?: readonly { readonly name?: string; readonly type?: string }[];
  readonly input: readonly InputItem[];
  readonly reasoning?: { readonly effort?: string } | null;
}

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly type?: string; readonly text?: string }[];
}

type Item = Readonly<Record<string, unknown>>;

/** User messages that Codex adds: its environment, instructions, and notes about interrupted turns. */
const NOT_A_PROMPT = /^\s*<\/?[a-zA-Z_]+/;

const PIECE_CHARS = 20;

/** The Responses API, as Codex uses it. */
export const RESPONSES_API: ModelApi = {
  path: '/v1/responses',
  read: (body, headers) =>
    read(body as Body, headers.session_id?.toString() ?? headers['session-id']?.toString() ?? null),
  events: (step, asked) => eventsOf(itemsOf(step, asked), step.pace !== undefined),
  isPiece: ({ type }) => type === 'response.output_text.delta' || type === 'response.output_item.done',
  ping: { type: 'response.in_progress', response: { id: 'resp_ping' } },
  whole: (step, asked) => ({ id: `resp_${short()}`, output: itemsOf(step, asked), usage: USAGE }),
  error: (status, message) => ({ error: { message, type: status === 429 ? 'rate_limit' : 'invalid_request_error' } }),
  other: (_, path) => (path === '/v1/models' ? { object: 'list', data: [], models: [] } : null),
};

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

function read({ model, stream, instructions = '', tools = [], input, reasoning }: Body, id: string | null): AskedModel {
  const developer = input.filter(({ role }) => role === 'developer').flatMap(textsOf);
  return {
    conversation: id,
    model,
    messages: messagesOf(input),
    // A model whose tools are called by scripts is told of them in its input.
    tools: tools.length === 0 ? ['script'] : tools.map(({ name, type }) => name ?? type ?? ''),
    isStream: stream === true,
    system: [instructions, ...developer].join('\n'),
    thinking: reasoning?.effort ?? 'none',
  };
}

/** The items of one answer, which the API lists one by one, are one message here. */
function messagesOf(input: readonly InputItem[]): Message[] {
  const messages: { role: string; content: Block[] }[] = [];
  for (const item of input) {
    const message = messageOf(item);
    const last = messages.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') last.content.push(...message.content);
    else messages.push(message);
  }
  return messages;
}

function messageOf(item: InputItem): { role: string; content: Block[] } {
  if (/_call$/.test(item.type ?? '')) return { role: 'assistant', content: [{ type: 'tool_use' }] };
  if (item.role === 'assistant' || item.type === 'reasoning') return { role: 'assistant', content: blocksOf(item) };
  if (item.role !== 'user') return { role: 'other', content: [] };
  return { role: 'user', content: blocksOf(item).filter(({ text = '' }) => !NOT_A_PROMPT.test(text)) };
}

function blocksOf(item: InputItem): Block[] {
  return textsOf(item).map((text) => ({ type: 'text', text }));
}

function textsOf({ content = [] }: InputItem): string[] {
  return typeof content === 'string' ? [content] : content.flatMap(({ text }) => text ?? []);
}

/** The items of a step. A model whose tools are called by scripts has one tool for that. */
function itemsOf(step: Step, { tools }: AskedModel): Item[] {
  const calls = step.tools ?? (step.tool === undefined ? [] : [{ tool: step.tool, input: step.input ?? {} }]);
  const text = calls.length > 0 ? step.say : (step.text ?? 'done');
  const isScripted = !tools.includes('exec_command');
  return [
    ...(text === undefined ? [] : [messageItem(text)]),
    ...calls.map(({ tool, input }) => (isScripted ? scriptItem(tool, input) : callItem(tool, input))),
  ];
}

function messageItem(text: string): Item {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id: `msg_${short()}`, type: 'message', status: 'completed', role: 'assistant', content };
}

function callItem(tool: string, input: unknown): Item {
  const named = { status: 'completed', name: tool, call_id: `call_${short()}` };
  // A tool without a schema takes a text as it is.
  if (typeof input === 'string') return { ...named, id: `ctc_${short()}`, type: 'custom_tool_call', input };
  return { ...named, id: `fc_${short()}`, type: 'function_call', arguments: JSON.stringify(input) };
}

function scriptItem(tool: string, input: unknown): Item {
  const script = `const r = await tools.${tool}(${JSON.stringify(input)}); text(r.output ?? JSON.stringify(r));`;
  return callItem('exec', script);
}

function eventsOf(items: readonly Item[], isPaced: boolean): StreamEvent[] {
  const id = `resp_${short()}`;
  return [
    { type: 'response.created', response: { id } },
    ...items.flatMap((item, index) => [
      ...deltasOf(item, index, isPaced),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: 'response.completed', response: { id, status: 'completed', output: items, usage: USAGE } },
  ];
}

function deltasOf(item: Item, index: number, isPaced: boolean): StreamEvent[] {
  if (item.type !== 'message') return [];
  const { text } = (item.content as readonly { text: string }[])[0] ?? { text: '' };
  const where = { item_id: item.id, output_index: index, content_index: 0 };
  const pieces = isPaced ? (text.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARS}}`, 'gu')) ?? []) : [text];
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress', content: [] } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...where, delta })),
  ];
}

function short(): string {
  return randomUUID().replaceAll('-', '').slice(0, 20);
}
