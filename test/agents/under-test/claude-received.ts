import { readFileSync } from 'node:fs';

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
  if (line?.type === 'attachment' && line.attachment?.type === 'queued_command') return [line.attachment.prompt ?? ''];
  if (line?.type !== 'user' || line.isMeta || line.isSidechain || line.isCompactSummary) return [];
  const content = line.message?.content ?? [];
  const texts = typeof content === 'string' ? [content] : content.flatMap((block) => block.text ?? []);
  return texts.filter((one) => !SYNTHETIC.test(one));
}

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}
