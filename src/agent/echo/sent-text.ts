import { plainKey } from '../seam/text-key.ts';

/** What stands in the line that is typed into for a draft that is too long for it. */
const PLACEHOLDER = /^\[(\d+) characters\]$/;

/** The key of a text that was sent. */
export function sentKey(text: string): string {
  return plainKey(pasted(text));
}

/** Does its screen show this draft in place of a text? A draft of a person has another length, as good as always. */
export function isPlaceholder(draft: string, text: string): boolean {
  return Number(PLACEHOLDER.exec(draft)?.[1]) === pasted(text).length;
}

/** A text as it is after a paste of ours, which leaves out the character that begins an escape sequence. */
function pasted(text: string): string {
  return text.replaceAll('\x1b', '').replaceAll(/\r\n?/g, '\n');
}
