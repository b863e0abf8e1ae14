import { asFields, asText, readObject } from './json.ts';

/** A part of a text that the agent is still writing. */
export interface Piece {
  readonly text: string;
  /** Names the text that it belongs to; null: the one of the piece before. */
  readonly of: string | null;
}

/**
 * The piece in a line of a stream of messages with content blocks, as Claude Code and its followers print it with
 * partial messages. Pieces of sub-agents, of thinking and of tool input are not among them.
 */
export function messagePiece(line: string): Piece | null {
  // Most lines are long messages, and are not even parsed.
  if (!line.includes('"type":"stream_event"')) return null;
  const fields = readObject(line);
  const event = asFields(fields?.event);
  if (fields?.type !== 'stream_event' || event === null || asText(fields.parent_tool_use_id) !== null) return null;
  const delta = asFields(event.delta);
  if (event.type === 'content_block_delta' && delta?.type === 'text_delta')
    return { text: asText(delta.text) ?? '', of: null };
  const block = asFields(event.content_block);
  if (event.type === 'content_block_start' && block?.type === 'text')
    return { text: asText(block.text) ?? '', of: asText(fields.uuid) };
  return event.type === 'message_start' ? { text: '', of: asText(asFields(event.message)?.id) } : null;
}
