import { readFileSync } from 'node:fs';

interface Line {
  readonly type?: string;
  readonly isMeta?: boolean;
  readonly isSidechain?: boolean;
  readonly isCompactSummary?: boolean;
  readonly message?: { readonly content?: string | readonly { readonly type: string; readonly text?: string }[] };
  readonly attachment?: { readonly type?: string; readonly prompt?: string };
}

/** What an agent writes down in the name of a person without any person. */
const NOT_SAID = /^(<|\[Request interrupted by user|Caveat: )/;

/** The prompts in a transcript, read without the product's own reader. */
export function heardIn(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').flatMap(promptOf);
}

function promptOf(text: string): string[] {
  const line = parsed(text);
  if (line?.type === 'attachment' && line.attachment?.type === 'queued_command') return [line.attachment.prompt ?? ''];
  if (line?.type !== 'user' || line.isMeta || line.isSidechain || line.isCompactSummary) return [];
  const content = line.message?.content ?? [];
  const texts = typeof content === 'string' ? [content] : content.flatMap((block) => block.text ?? []);
  return texts.filter((one) => !NOT_SAID.test(one));
}

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}
