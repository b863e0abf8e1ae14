import { fieldOf } from './input.ts';

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

/** Where the file of a tool call really is, as seen from the workspace; nothing when the call names none. */
export function realOf(
  input: unknown,
  { workspace, home, cwd = workspace }: { readonly workspace: string; readonly home: string; readonly cwd?: string },
  tools: PathTools,
): { real?: string } {
  const given = ['file_path', 'notebook_path', 'path']
    .map((name) => fieldOf(input, name))
    .find((each) => typeof each === 'string');
  if (typeof given !== 'string' || given === '' || given.includes('\0')) return {};
  const full = tools.resolve(cwd, given.replace(/^~(?=\/|$)/, home));
  const [real, root] = [resolved(full, tools), resolved(workspace, tools)];
  // The workspace itself may be reached through a link: below it, names are as the rules have them.
  const isInside = real === root || real.startsWith(root === '/' ? '/' : `${root}/`);
  return { real: isInside ? tools.join(workspace, tools.relative(root, real)) : real };
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
