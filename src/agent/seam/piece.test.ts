import { expect, test } from 'vitest';
import { messagePiece } from './piece.ts';

const line = (event: object, more: object = {}): string =>
  JSON.stringify({ type: 'stream_event', uuid: 'u', parent_tool_use_id: null, event, ...more });
const delta = (of: object): object => ({ type: 'content_block_delta', index: 0, delta: of });

test('pieces of a text are read, and where the next text begins', () => {
  const words = delta({ type: 'text_delta', text: 'two ' });
  expect(messagePiece(line({ type: 'content_block_start', content_block: { type: 'text', text: '' } }))).toEqual({
    text: '',
    of: 'u',
  });
  expect(messagePiece(line(words))).toEqual({ text: 'two ', of: null });
  expect(messagePiece(line({ type: 'message_start', message: { id: 'm' } }))).toEqual({ text: '', of: 'm' });
});

test('what a sub-agent writes, thinking, tool input and other lines are no pieces', () => {
  const words = delta({ type: 'text_delta', text: 'x' });
  expect(messagePiece(line(words, { parent_tool_use_id: 'c' }))).toBe(null);
  expect(messagePiece(line(delta({ type: 'thinking_delta', thinking: 'x' })))).toBe(null);
  expect(messagePiece(line(delta({ type: 'input_json_delta', partial_json: '{' })))).toBe(null);
  expect(messagePiece('{"type":"assistant","message":{"content":[{"type":"text","text":"x"}]}}')).toBe(null);
  expect(messagePiece('"type":"stream_event" torn')).toBe(null);
});
