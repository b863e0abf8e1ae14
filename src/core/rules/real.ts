import type { Action } from './action.ts';
import { ACTIONS_MAX } from './rules.ts';

/** Path functions that the caller provides, because this folder does not touch the disk. */
export interface PathTools {
  resolve(...parts: string[]): string;
  join(...parts: string[]): string;
  relative(from: string, to: string): string;
  dirname(path: string): string;
  basename(path: string): string;
  /** Resolves links; throws when the file does not exist. */
  realpath(path: string): string;
}

interface Places {
  readonly workspace: string;
  readonly home: string;
  readonly cwd?: string;
}

/** The resolved paths of the files of a tool call, relative to the workspace, by the paths that the call names. */
export function realOf(actions: readonly Action[], places: Places, tools: PathTools): Record<string, string> {
  if (actions.length > ACTIONS_MAX) return {};
  const named = actions.flatMap((action) => (action.is === 'read' || action.is === 'write' ? (action.path ?? []) : []));
  const found = named.filter((path) => path !== '' && !path.includes('\0'));
  return Object.fromEntries([...new Set(found)].map((path) => [path, realPath(path, places, tools)]));
}

function realPath(path: string, { workspace, home, cwd = workspace }: Places, tools: PathTools): string {
  const full = tools.resolve(cwd, path.replace(/^~(?=\/|$)/, home));
  const [real, root] = [resolved(full, tools), resolved(workspace, tools)];
  // The workspace itself may be reached through a link: below it, paths have the same form as in the rules.
  const isInside = real === root || real.startsWith(root === '/' ? '/' : `${root}/`);
  return isInside ? tools.join(workspace, tools.relative(root, real)) : real;
}

/** A file that does not exist yet is resolved by its folder. */
function resolved(file: string, tools: PathTools): string {
  try {
    return tools.realpath(file);
  } catch {
    const parent = tools.dirname(file);
    return parent === file ? file : tools.join(resolved(parent, tools), tools.basename(file));
  }
}
