/**
 * One thing that a tool call would do, whatever its agent calls the tool. The adapter of the agent makes them; rules,
 * diffs, notices and views read only these. Null stands for what the call should say and does not.
 */
export type Action =
  /** isUnconfined: it asks to run outside of the agent's sandbox. */
  | { readonly is: 'shell'; readonly command: string | null; readonly isUnconfined?: true }
  /** isDeep: everything below the path. pattern: what is looked for there. */
  | { readonly is: 'read'; readonly path: string | null; readonly isDeep?: true; readonly pattern?: string }
  | { readonly is: 'write'; readonly path: string | null; readonly change: Change | null }
  | { readonly is: 'fetch'; readonly url: string | null }
  | { readonly is: 'mcp'; readonly server: string; readonly tool: string; readonly input: unknown }
  | { readonly is: 'agent'; readonly prompt: string | null }
  /** A tool that the adapter does not know, or a call that it cannot read. */
  | { readonly is: 'other'; readonly name: string; readonly input: unknown };

/** What becomes of a file. */
export type Change = ChangeBody & {
  /** The fields of the tool's input that it was read from. */
  readonly fields: readonly string[];
};

type ChangeBody =
  /** The whole text of the file. */
  | { readonly is: 'text'; readonly text: string }
  /** Made one after the other. */
  | { readonly is: 'replacements'; readonly replacements: readonly Replacement[] }
  /** As the agent itself shows it. */
  | { readonly is: 'diff'; readonly diff: string };

/** One text in the place of another. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly everywhere: boolean;
}

/** Maps a tool call to what it would do; a call of several actions is allowed only if each of them is. */
export type ReadActions = (tool: string, input: unknown) => readonly Action[];

/** What is made of the calls of an agent that maps none. */
export function unmapped(tool: string, input: unknown): readonly Action[] {
  return [{ is: 'other', name: tool, input }];
}
