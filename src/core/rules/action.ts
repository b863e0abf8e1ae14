/**
 * One thing that a tool call would do, independent of the name of the agent's tool. The agent's adapter creates
 * actions; rules, diffs, notices and views read only these. Null means that the call lacks this information.
 */
export type Action =
  /** isUnconfined: the call asks to run outside the agent's sandbox. */
  | { readonly is: 'shell'; readonly command: string | null; readonly isUnconfined?: true }
  /** isDeep: everything below the path. pattern: what is searched for there. */
  | { readonly is: 'read'; readonly path: string | null; readonly isDeep?: true; readonly pattern?: string }
  | { readonly is: 'write'; readonly path: string | null; readonly change: Change | null }
  | { readonly is: 'fetch'; readonly url: string | null }
  | { readonly is: 'mcp'; readonly server: string; readonly tool: string; readonly input: unknown }
  | { readonly is: 'agent'; readonly prompt: string | null }
  /** A tool that the adapter does not know, or a call that it cannot parse. */
  | { readonly is: 'other'; readonly name: string; readonly input: unknown };

/** How a tool call changes a file. */
export type Change = ChangeBody & {
  /** The fields of the tool input that the change was read from. */
  readonly fields: readonly string[];
};

type ChangeBody =
  /** The complete new text of the file. */
  | { readonly is: 'text'; readonly text: string }
  /** Applied one after the other. */
  | { readonly is: 'replacements'; readonly replacements: readonly Replacement[] }
  /** The diff as the agent shows it. */
  | { readonly is: 'diff'; readonly diff: string };

/** One replacement of a text in a file. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly everywhere: boolean;
}

/** Maps a tool call to its actions. A call with several actions is allowed only if each of them is. */
export type ReadActions = (tool: string, input: unknown) => readonly Action[];

/** The actions of a call when the adapter maps none: one action of kind `other`. */
export function unmapped(tool: string, input: unknown): readonly Action[] {
  return [{ is: 'other', name: tool, input }];
}
