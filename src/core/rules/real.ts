import type { Action } from './action.ts';
import { ACTIONS_MAX } from './rules.ts';

/** What is needed to see where a path leads. */
export interface PathTools {
  resolve(...parts: string[]): string;
  join(...parts: string[]): string;
  relative(from: string, to: string): string;
  dirname(path: string): string;
  basename(path: string): string;
  /** With links resolved; throws when there is no such file. */
  realpath(path: string): string;
}

interface Places {
  readonly workspace: string;
  readonly home: string;
  readonly cwd?: string;
}

/** Where the files of a tool call really are, as seen from the workspace, by the paths that it names. */
export function realOf(actions: readonly Action[], places: Places, tools: PathTools): Record<string, string> {
  if (actions.length > ACTIONS_MAX) return {};
  const named = actions.flatMap((action) => (action.is === 'read' || action.is === 'write' ? (action.path ?? []) : []));
  const found = named.filter((path) => path !== '' && !path.includes('\0'));
  return Object.fromEntries([...new Set(found)].map((path) => [path, realPath(path, places, tools)]));
}

function realPath(path: string, { workspace, home, cwd = workspace }: Places, tools: PathTools): string {
  const full = tools.resolve(cwd, path.replace(/^~(?=\/|$)/, home));
  const [real, root] = [resolved(full, tools), resolved(workspace, tools)];
  // The workspace itself may be reached through a link: below it, names are as the rules have them.
  const isInside = real === root || real.startsWith(root === '/' ? '/' : `${root}/`);
  return isInside ? tools.join(workspace, tools.relative(root, real)) : real;
}

/** A file that is not there yet is where its folder is. */
function resolved(file: string, tools: PathTools): string {
  try {
    return tools.realpath(file);
  } catch {
    const parent = tools.dirname(file);
    return parent === file ? file : tools.join(resolved(parent, tools), tools.basename(file));
  }
}
