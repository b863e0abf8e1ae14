import type { Fields } from './json.ts';

/** More than this the model is not shown at once. */
const CHARS_MAX = 10_000;
const PREVIEW_CHARS = 2_000;

/** What a hook has to say to the model, as the transcript has it. */
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
