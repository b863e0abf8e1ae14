import type { Agent } from './agent.ts';
import type { Fields } from './json.ts';

/** A tool call of the model. */
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
}

/** How the calls of one answer ended. `deferred`: the last call will be asked about again, in a later run. */
export type Used =
  | { readonly is: 'went on' }
  | { readonly is: 'stopped' }
  | { readonly is: 'deferred'; readonly call: Call };

/** The caller of a tool: the agent itself, or a sub-agent. */
export interface Caller {
  readonly agent: Agent;
  /** Additional fields of its hook payloads. */
  readonly marks: Fields;
  /** Records the result of a tool. */
  record(result: Fields, structured: unknown): void;
  /** Records what is added to the model's context with it. */
  attach(attachment: Fields): void;
  /** Runs the calls of one answer. */
  readonly use: (caller: Caller, calls: readonly Call[], signal: AbortSignal) => Promise<Used>;
}
