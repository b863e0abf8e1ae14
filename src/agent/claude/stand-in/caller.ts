import type { Agent } from './agent.ts';
import type { Fields } from './json.ts';

/** A tool call of the model. */
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
}

/** How the calls of one answer ended. `deferred`: the last call that is to be asked about once more, another time. */
export type Used =
  | { readonly is: 'went on' }
  | { readonly is: 'stopped' }
  | { readonly is: 'deferred'; readonly call: Call };

/** Who calls tools: the agent itself, or a sub-agent of it. */
export interface Caller {
  readonly agent: Agent;
  /** What its hooks carry besides. */
  readonly marks: Fields;
  /** Takes down what a tool gave. */
  record(result: Fields, structured: unknown): void;
  /** Takes down what else the model is told with it. */
  attach(attachment: Fields): void;
  /** Plays the calls of one answer of a caller. */
  readonly use: (caller: Caller, calls: readonly Call[], signal: AbortSignal) => Promise<Used>;
}
