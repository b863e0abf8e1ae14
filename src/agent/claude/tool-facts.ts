import type { Fact } from '../../core/fact.ts';

/** Of a tool's input, so much goes into the journal. */
export const INPUT_CHARS_MAX = 8_192;
/** And so much of what it says, or of what somebody says about it. */
export const TEXT_CHARS_MAX = 2_048;

/** A call of a tool, whoever reports it. */
export interface ToolCall {
  readonly id: string | null;
  readonly name: string;
  readonly input: unknown;
  /** The sub-agent that calls; null for the agent itself. */
  readonly subagent: string | null;
}

/** How a call ended, whoever reports it. */
export interface ToolEnd {
  readonly id: string | null;
  readonly name: string;
  readonly error: string | null;
  readonly tookMs: number | null;
}

/** The fact that a tool is being used. */
export function toolCalled(run: number, { id, name, input, subagent }: ToolCall): Fact {
  const text = cut(JSON.stringify(input) ?? '', INPUT_CHARS_MAX);
  return { type: 'tool.called', run, call: id, tool: name, input: text, subagent };
}

/** The fact that it is used no more. */
export function toolEnded(run: number, { id, name, error, tookMs }: ToolEnd): Fact {
  const why = error === null ? null : cut(error, TEXT_CHARS_MAX);
  return { type: 'tool.ended', run, call: id, tool: name, error: why, tookMs };
}

/** So much of a text, and a sign that there was more. */
export function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`;
}
