import type { Fact } from '../../core/fact.ts';
import { shortened } from '../../core/shortened.ts';

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
  const text = shortened(JSON.stringify(input) ?? '');
  return { type: 'tool.called', run, call: id, tool: name, input: text, subagent };
}

/** The fact that it is used no more. */
export function toolEnded(run: number, { id, name, error, tookMs }: ToolEnd): Fact {
  const why = error === null ? null : shortened(error, TEXT_CHARS_MAX);
  return { type: 'tool.ended', run, call: id, tool: name, error: why, tookMs };
}
