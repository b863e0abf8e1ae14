/** How much of a tool's input is recorded with a call. */
const INPUT_CHARS_MAX = 8_192;

/** A text as it is recorded: its beginning, with an ellipsis if it was cut. */
export function shortened(text: string, charsMax = INPUT_CHARS_MAX): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`;
}
