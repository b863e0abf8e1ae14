import { readFileSync } from 'node:fs';
import type { WrittenMessage } from './agent.ts';
import { withoutPasteTags } from './claude-pasted.ts';

interface Line {
  readonly type?: string;
  readonly isMeta?: boolean;
  readonly isSidechain?: boolean;
  readonly isCompactSummary?: boolean;
  readonly message?: { readonly content?: string | readonly { readonly type: string; readonly text?: string }[] };
  readonly attachment?: { readonly type?: string; readonly prompt?: string };
}

/** User messages in a transcript that no person wrote. */
const SYNTHETIC = /^(<|\[Request interrupted by user|Caveat: )/;

/** The prompts in a transcript, read without Outlast's own reader. */
export function promptsIn(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').flatMap(promptOf);
}

function promptOf(text: string): string[] {
  const line = parsed(text);
  if (line?.type === 'attachment' && line.attachment?.type === 'queued_command')
    return [withoutPasteTags(line.attachment.prompt ?? '')];
  if (line?.type !== 'user' || line.isMeta || line.isSidechain || line.isCompactSummary) return [];
  const content = line.message?.content ?? [];
  const texts = typeof content === 'string' ? [content] : content.flatMap((block) => block.text ?? []);
  return texts.map(withoutPasteTags).filter((one) => !SYNTHETIC.test(one));
}

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}

/** The prompts on the path from the last line of a transcript to its first: other branches are left out. */
export function thread(path: string): string[] {
  const lines = rowsOf(path);
  const byId = new Map(lines.filter(({ uuid }) => uuid !== undefined).map((line) => [line.uuid, line]));
  const found: string[] = [];
  for (let at = lines.findLast(({ type }) => type === 'assistant'); at !== undefined; at = byId.get(at.parentUuid)) {
    if (at.type === 'user' && typeof at.message?.content === 'string')
      found.unshift(withoutPasteTags(at.message.content));
  }
  return found;
}

/** The messages of the model, without those that the agent writes in its place. */
export function messages(path: string): WrittenMessage[] {
  const tokens = new Map<string, number>();
  for (const { type, message } of rowsOf(path))
    if (type === 'assistant') tokens.set(message.id, message.usage.input_tokens + message.usage.output_tokens);
  return [...tokens].map(([id, each]) => ({ id, tokens: each })).filter((each) => each.tokens > 0);
}

// biome-ignore lint/suspicious/noExplicitAny: what the agent wrote, read without a schema
function rowsOf(path: string): any[] {
  const rows = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return rows.filter(Boolean).map((line) => JSON.parse(line));
}
