import { digestOf } from '../../base/digest.ts';

/** A text that is longer is compared by its digest. */
const KEY_CHARS_MAX = 64;

/** What a text is compared by: the text itself, or its length and digest. */
export function shortKey(text: string): string {
  return text.length <= KEY_CHARS_MAX ? text : `${text.length} ${digestOf(text)}`;
}

/** The key of a text that reaches its agent unchanged, but for blanks around it and the kind of line ends. */
export function plainKey(text: string): string {
  return shortKey(text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim());
}
