import { STEERING, STEERING_OR_BREAK } from '../../base/controls.ts';

const RUN = new RegExp(`${STEERING_OR_BREAK.source}+`, 'g');

/** Makes a text safe to show on one line. */
export function oneLine(text: string): string {
  return text.replaceAll(RUN, ' ').trim();
}

/** Replaces control characters by blanks and keeps line breaks. */
export function plainLines(text: string): string {
  return text.replaceAll(STEERING, ' ');
}

/** Shortens a text with an ellipsis; never cuts a character in two. */
export function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
