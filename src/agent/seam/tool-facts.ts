import type { Fact } from '../../core/fact.ts';
import { shortened } from '../../core/shortened.ts';

/** How much of the agent's text, or of a text about it, is recorded. */
export const TEXT_CHARS_MAX = 2_048;

/** A tool call, whichever source reports it. */
export interface ToolCall {
  readonly id: string | null;
  readonly name: string;
  readonly input: unknown;
  /** The sub-agent that calls; null for the agent itself. */
  readonly subagent: string | null;
}

/** The end of a tool call, whichever source reports it. */
export interface ToolEnd {
  readonly id: string | null;
  readonly name: string;
  readonly error: string | null;
  readonly tookMs: number | null;
}

/** The fact that a tool is running. */
export function toolCalled(run: number, { id, name, input, subagent }: ToolCall): Fact {
  const text = shortened(JSON.stringify(input) ?? '');
  return { type: 'tool.called', run, call: id, tool: name, input: text, subagent };
}

/** The fact that it has ended. */
export function toolEnded(run: number, { id, name, error, tookMs }: ToolEnd): Fact {
  const why = error === null ? null : shortened(error, TEXT_CHARS_MAX);
  return { type: 'tool.ended', run, call: id, tool: name, error: why, tookMs };
}
