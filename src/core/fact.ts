// What an agent reports of its work. Recorded for readers; nothing of ours is decided by it.

/** News of an agent's work that changes nothing of a session but what is known of it. */
export type Fact =
  | {
      readonly type: 'tool.called';
      readonly run: number;
      readonly call: string | null;
      readonly tool: string;
      /** As JSON, cut. */
      readonly input: string;
      /** The sub-agent that called; null for the agent itself. */
      readonly subagent: string | null;
    }
  | {
      readonly type: 'tool.ended';
      readonly run: number;
      readonly call: string | null;
      readonly tool: string;
      /** Why it failed; null when it did not. */
      readonly error: string | null;
      readonly tookMs: number | null;
    }
  | { readonly type: 'tool.denied'; readonly run: number; readonly tool: string; readonly why: string }
  | { readonly type: 'subagent.started'; readonly run: number; readonly subagent: string; readonly kind: string }
  | { readonly type: 'subagent.ended'; readonly run: number; readonly subagent: string }
  | { readonly type: 'conversation.compacted'; readonly run: number; readonly trigger: string }
  | { readonly type: 'agent.noticed'; readonly run: number; readonly kind: string; readonly text: string }
  | { readonly type: 'agent.left'; readonly run: number; readonly reason: string };
