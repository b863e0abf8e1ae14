/** Of a tool's input, so much goes into the record of a call. */
const INPUT_CHARS_MAX = 8_192;

/** A text as it is recorded: its beginning, and a mark where it was cut. */
export function shortened(text: string, charsMax = INPUT_CHARS_MAX): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`;
}
