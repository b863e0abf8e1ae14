/** From one prompt to its answer, in the order in which it happened. */
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
  /** What a hook told it with the result of a tool, news of ours among it. */
  | { readonly is: 'told'; readonly text: string }
  | { readonly is: 'note'; readonly text: string };

/** A tool call and what came back; null while nothing did. A sub-agent is a call of the tool that starts it. */
export interface Call {
  readonly is: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly result: ToolResult | null;
}

/** What a tool gave back. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly images: number;
  readonly isError: boolean;
}
