import type { Fields } from './json.ts';

/** The model sees at most this many characters at once. */
const CHARS_MAX = 10_000;
const PREVIEW_CHARS = 2_000;

/** The attachment for a text that a hook adds to the model's context. */
export function contextOf(text: string, event: string, tool?: string, call = 'hook'): Fields {
  const hookName = tool === undefined ? event : `${event}:${tool}`;
  const content = [text.length > CHARS_MAX ? preview(text) : text];
  return { type: 'hook_additional_context', content, hookName, toolUseID: call, hookEvent: event };
}

function preview(text: string): string {
  const kb = (text.length / 1024).toFixed(1);
  const head = text.slice(0, PREVIEW_CHARS);
  return `<persisted-output>\nOutput too large (${kb}KB).\n\nPreview (first 2KB):\n${head}\n...\n</persisted-output>`;
}
