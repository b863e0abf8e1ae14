import type { LogLine } from '../../api/logs-shape.ts';

/** How much of the result of a call is sent, and of each text in its input. */
const RESULT_CHARS_MAX = 4_000;
const INPUT_CHARS_MAX = 4_000;

/** A line with the long texts of its call cut. */
export function shortenedLine(line: LogLine): LogLine {
  const { call } = line;
  if (call === undefined) return line;
  let cutChars = 0;
  const cut = (text: string, max: number): string => {
    if (text.length <= max) return text;
    cutChars += text.length - max;
    return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
  };
  const shortened = (value: unknown): unknown => {
    if (typeof value === 'string') return cut(value, INPUT_CHARS_MAX);
    if (Array.isArray(value)) return value.map(shortened);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]));
  };
  const { result } = call;
  const actions = shortened(call.actions) as typeof call.actions;
  const input = shortened(call.input);
  const text = result === null ? null : { ...result, text: cut(result.text, RESULT_CHARS_MAX) };
  return { ...line, call: { ...call, input, actions, result: text }, ...(cutChars > 0 && { cutChars }) };
}
