import type { SentImage } from '../seam/images.ts';

/** The standard input of a process of one turn whose prompt has images: one message, as JSON. */
export function imageMessage(text: string, images: readonly SentImage[]): string {
  const blocks = images.map(({ type, base64 }) => ({
    type: 'image',
    source: { type: 'base64', media_type: type, data: base64() },
  }));
  const content = [...blocks, { type: 'text', text }];
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null })}\n`;
}
