// What an agent reports about its work. Recorded for readers; Outlast decides nothing by it.

/** A report about an agent's work that changes only what is known about the session. */
export type Fact =
  | {
      readonly type: 'tool.called';
      readonly run: number;
      readonly call: string | null;
      readonly tool: string;
      /** As JSON, truncated. */
      readonly input: string;
      /** The sub-agent that called; null for the agent itself. */
      readonly subagent: string | null;
    }
  | {
      readonly type: 'tool.ended';
      readonly run: number;
      readonly call: string | null;
      readonly tool: string;
      /** Why it failed; null if it did not. */
      readonly error: string | null;
      readonly tookMs: number | null;
    }
  | { readonly type: 'tool.denied'; readonly run: number; readonly tool: string; readonly why: string }
  | { readonly type: 'subagent.started'; readonly run: number; readonly subagent: string; readonly kind: string }
  | { readonly type: 'subagent.ended'; readonly run: number; readonly subagent: string }
  | { readonly type: 'conversation.compacted'; readonly run: number; readonly trigger: string }
  | { readonly type: 'agent.noticed'; readonly run: number; readonly kind: string; readonly text: string }
  | { readonly type: 'agent.left'; readonly run: number; readonly reason: string };
