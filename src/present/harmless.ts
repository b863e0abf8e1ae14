import { STEERING, STEERING_OR_BREAK } from '../base/controls.ts';

// Foreign text for people: what would act on a terminal, hide or reverse other text is shown as its code.

/** Shows control characters instead of sending them to the terminal; line ends and tabs stay. */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(STEERING, escaped);
}

/** Escapes control characters and line ends, for one cell of a table or one line. */
export function oneLine(text: string): string {
  return text.replace(STEERING_OR_BREAK, escaped);
}

/**
 * Characters that nobody sees: they hide text, reverse it, or make two texts look the same. Unicode calls most of them
 * ignorable; a selector that makes an emoji a picture is none of them.
 */
export const HIDDEN =
  /[\u2028\u2029\u2800\ufff9-\ufffb]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})[\ufe0e\ufe0f]/gu;

/** Reveals characters that hide or reverse others: nobody should approve a text that reads differently. */
export function revealed(text: string): string {
  return text.replace(HIDDEN, revealedCode);
}

/** The code of a hidden character. */
export function revealedCode(letter: string): string {
  return `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** The code of a control character, as people write it. */
export function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
