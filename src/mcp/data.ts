import { randomBytes } from 'node:crypto';

/** Text from a program or an agent, cut to fit; `leftOutChars` says how much is missing. */
export interface Cut {
  readonly text: string;
  readonly leftOutChars: number;
}

/** In one answer. About 5,000 tokens: more would crowd out the caller's own context. */
export const DATA_CHARS_MAX = 20_000;

/**
 * Marks text that came out of a session, so that the caller reads it as data. Its author cannot close the tag, because
 * the mark is random each time.
 */
export function asData(text: string, from: string): string {
  const mark = randomBytes(4).toString('hex');
  return `<data from="${from}" mark="${mark}">\n${text}\n</data mark="${mark}">`;
}

/** The end of a text, from the beginning of a line if one is near. */
export function lastOf(text: string, charsMax = DATA_CHARS_MAX): Cut {
  if (text.length <= charsMax) return { text, leftOutChars: 0 };
  let from = text.length - charsMax;
  const line = text.indexOf('\n', from);
  if (line >= 0 && line - from < 200) from = line + 1;
  else if (isSecondHalf(text, from)) from += 1;
  return { text: text.slice(from), leftOutChars: from };
}

/** The beginning of a text. */
export function firstOf(text: string, charsMax = DATA_CHARS_MAX): Cut {
  if (text.length <= charsMax) return { text, leftOutChars: 0 };
  const to = isSecondHalf(text, charsMax) ? charsMax - 1 : charsMax;
  return { text: text.slice(0, to), leftOutChars: text.length - to };
}

/** The first lines, as many as fit into one answer; at least one, so that a caller makes progress. */
export function linesThatFit(lines: readonly string[], charsMax = DATA_CHARS_MAX): readonly string[] {
  let chars = 0;
  const tooMany = lines.findIndex((line, i) => {
    chars += line.length + 1;
    return i > 0 && chars > charsMax;
  });
  return tooMany === -1 ? lines : lines.slice(0, tooMany);
}

function isSecondHalf(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text[at] ?? '');
}
