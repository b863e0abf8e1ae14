import { randomUUID } from 'node:crypto';
import type { Step } from './story.ts';

/** A message of the model, as the API sends it. */
export interface Answer {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly Content[];
  readonly stop_reason: 'end_turn' | 'tool_use';
  readonly stop_sequence: null;
  readonly usage: Usage;
}

/** A content block of a message. */
export type Content =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

/** An event of a stream: its name is also in its data. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Usage = Readonly<Record<string, number>>;

const USAGE: Usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const PIECE_CHARS = 20;

/** The message of a step. */
export function answerOf(step: Step, model: string): Answer {
  const calls = step.tools ?? (step.tool === undefined ? [] : [{ tool: step.tool, input: step.input ?? {} }]);
  const text = calls.length > 0 ? step.say : (step.text ?? 'done');
  return {
    id: `msg_${short()}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(step.think === undefined
        ? []
        : [{ type: 'thinking', thinking: step.think, signature: 'c2lnbmVk' } satisfies Content]),
      ...(text === undefined ? [] : [{ type: 'text', text } satisfies Content]),
      ...calls.map(
        ({ tool, input }): Content => ({ type: 'tool_use', id: `toolu_${short()}`, name: tool, input: input ?? {} }),
      ),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  };
}

/** The events that stream a message; a paced text comes in pieces. */
export function eventsOf(answer: Answer, isPaced: boolean): StreamEvent[] {
  const start = { ...answer, content: [], stop_reason: null, usage: { ...answer.usage, output_tokens: 1 } };
  return [
    { type: 'message_start', message: start },
    ...answer.content.flatMap((content, index) => [
      { type: 'content_block_start', index, content_block: emptied(content) },
      ...deltasOf(content, isPaced).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: answer.stop_reason, stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ];
}

function emptied(content: Content): unknown {
  switch (content.type) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'text':
      return { type: 'text', text: '' };
    case 'tool_use':
      return { ...content, input: {} };
  }
}

function deltasOf(content: Content, isPaced: boolean): unknown[] {
  switch (content.type) {
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: content.thinking },
        { type: 'signature_delta', signature: content.signature },
      ];
    case 'text':
      return (isPaced ? piecesOf(content.text) : [content.text]).map((text) => ({ type: 'text_delta', text }));
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: JSON.stringify(content.input) }];
  }
}

function piecesOf(text: string): string[] {
  const chars = [...text];
  const count = Math.ceil(chars.length / PIECE_CHARS);
  return Array.from({ length: count }, (_, i) => chars.slice(i * PIECE_CHARS, (i + 1) * PIECE_CHARS).join(''));
}

function short(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24);
}
