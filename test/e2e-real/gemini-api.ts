import { randomUUID } from 'node:crypto';
import type { StreamEvent } from './answer.ts';
import type { AskedModel, ModelApi } from './model-api.ts';
import type { Block, Message, Step, ToolCall } from './story.ts';

interface Part {
  readonly text?: string;
  readonly functionCall?: unknown;
}

interface Body {
  readonly contents?: readonly { readonly role?: string; readonly parts?: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name?: string }[] }[];
}

/** The only model of this server: its name is part of the path. */
export const GEMINI_MODEL = 'gemini-2.5-flash';

const AT = `/v1beta/models/${GEMINI_MODEL}`;
const PIECE_CHARS = 20;

/** The Gemini API. */
export const GEMINI_API: ModelApi = {
  path: `${AT}:streamGenerateContent`,
  isBare: true,
  read: (body) => read(body as Body),
  events: (step) => eventsOf(step),
  isPiece: (event) => JSON.stringify(event).includes('"text"'),
  ping: { type: 'chunk', candidates: [] },
  whole: (step) => chunkOf(partsOf(step), true),
  error: (status, message) => ({ error: { code: status, message, status: statusOf(status) } }),
  // Requests without a stream choose a model or decide who speaks next.
  other: (_, path) => {
    if (path.endsWith(':countTokens')) return { totalTokens: 10 };
    return path.endsWith(':generateContent')
      ? chunkOf([{ text: '{"next_speaker":"user","reasoning":"x"}' }], true)
      : null;
  },
};

function read({ contents = [], tools = [] }: Body): AskedModel {
  return {
    conversation: null,
    model: GEMINI_MODEL,
    messages: contents.flatMap(messagesOf),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name = '' }) => name)),
    isStream: true,
    system: '',
    thinking: 'none',
  };
}

/** The first message of a conversation tells the model about the machine; other texts are around files. */
const CONTEXT = /^(<session_context>|\s*--- (Content from referenced files|End of content) ---)/;

/** What Gemini CLI says in place of the model when a turn broke off. */
const BROKEN_OFF = '[The previous response was interrupted before it completed.]';

/** Prompts that were not answered in between are parts of one message. */
function messagesOf({ role, parts = [] }: NonNullable<Body['contents']>[number]): Message[] {
  const texts = parts.flatMap(({ text }): Block[] =>
    text === undefined || CONTEXT.test(text) || text === BROKEN_OFF ? [] : [{ type: 'text', text }],
  );
  if (role !== 'model') return texts.map((text) => ({ role: 'user', content: [text] }));
  const calls = parts.flatMap((part): Block[] => (part.functionCall === undefined ? [] : [{ type: 'tool_use' }]));
  return texts.length + calls.length === 0 ? [] : [{ role: 'assistant', content: [...texts, ...calls] }];
}

function eventsOf(step: Step): StreamEvent[] {
  const parts = partsOf(step);
  const pieces = parts.flatMap((part): Part[] => {
    if (part.text === undefined || step.pace === undefined) return [part];
    return (part.text.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARS}}`, 'gu')) ?? []).map((text) => ({ text }));
  });
  return [...pieces.map((part) => chunkOf([part], false)), chunkOf([], true)];
}

function partsOf(step: Step): Part[] {
  const calls = step.tools ?? (step.tool === undefined ? [] : [{ tool: step.tool, input: step.input ?? {} }]);
  const text = calls.length > 0 ? (step.say ?? null) : (step.text ?? 'done');
  return [...(text === null ? [] : [{ text }]), ...calls.map(callOf)];
}

function callOf({ tool, input }: ToolCall): Part {
  return { functionCall: { name: tool, args: input, id: `call_${randomUUID().slice(0, 8)}` } };
}

function chunkOf(parts: readonly Part[], isLast: boolean): StreamEvent {
  const content = { role: 'model', parts: parts.length === 0 ? [{ text: '' }] : parts };
  const candidate = { content, index: 0, ...(isLast && { finishReason: 'STOP' }) };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  return { type: 'chunk', candidates: [candidate], usageMetadata, modelVersion: GEMINI_MODEL, responseId: 'scripted' };
}

function statusOf(status: number): string {
  if (status === 429) return 'RESOURCE_EXHAUSTED';
  return status === 400 ? 'INVALID_ARGUMENT' : status === 404 ? 'NOT_FOUND' : 'INTERNAL';
}
