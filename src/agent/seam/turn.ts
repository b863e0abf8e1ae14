/** From one prompt to its answer, in chronological order. */
export interface Turn {
  readonly prompt: string;
  readonly images: number;
  readonly steps: readonly Step[];
}

/** One thing that happened in a turn. */
export type Step =
  | { readonly is: 'thinking'; readonly text: string }
  | { readonly is: 'text'; readonly text: string }
  | Call
  | { readonly is: 'steering'; readonly text: string }
  /** Text that a hook added to a tool result, such as our updates. */
  | { readonly is: 'told'; readonly text: string }
  | { readonly is: 'note'; readonly text: string };

/** A tool call and its result; null: none yet. A sub-agent is a call of the tool that starts it. */
export interface Call {
  readonly is: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly result: ToolResult | null;
}

/** The result of a tool. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly images: number;
  readonly isError: boolean;
}
