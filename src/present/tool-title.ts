import type { Action } from '../api/step.ts';

const TITLE_CHARS_MAX = 120;

/** What a tool call does, in a line. */
export function titleOf(tool: string, actions: readonly { readonly is: string }[], charsMax = TITLE_CHARS_MAX): string {
  const [first, ...more] = actions as readonly Action[];
  const title = first === undefined ? tool : oneTitle(tool, first);
  const line = (title.split('\n')[0] ?? '').trim() || tool;
  const short = line.length > charsMax ? `${line.slice(0, charsMax - 1)}…` : line;
  return more.length === 0 ? short : `${short} and ${more.length} more`;
}

function oneTitle(tool: string, action: Action): string {
  switch (action.is) {
    case 'shell':
      return action.command ?? tool;
    case 'read':
      return action.pattern === undefined ? `Read ${action.path ?? ''}` : `Search for ${action.pattern}`;
    case 'write':
      return `Edit ${action.path ?? ''}`;
    case 'fetch':
      return `Fetch ${action.url ?? ''}`;
    case 'mcp':
      return `${action.server}: ${action.tool}`;
    case 'agent':
      return `Sub-agent: ${action.prompt ?? ''}`;
    case 'other':
      return tool;
  }
}
