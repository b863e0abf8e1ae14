import { digestOf } from '../../base/digest.ts';

/** Longer texts are compared by their digest. */
const KEY_CHARS_MAX = 64;

/** The key of a text: the text itself, or its length and digest. */
export function shortKey(text: string): string {
  return text.length <= KEY_CHARS_MAX ? text : `${text.length} ${digestOf(text)}`;
}

/** The key of a text that reaches its agent unchanged, except for surrounding blanks and line endings. */
export function plainKey(text: string): string {
  return shortKey(text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim());
}
