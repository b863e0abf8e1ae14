import { fs, path } from '../client/node.ts';

/** Where the file of a tool call really is, as seen from the workspace; nothing when the call names none. */
export function realOf(input: unknown, workspace: string, home: string): { real?: string } {
  const given = ['file_path', 'notebook_path', 'path']
    .map((name) => fieldOf(input, name))
    .find((each) => each !== null);
  if (given === undefined || given === null || given === '' || given.includes('\0')) return {};
  const full = path.resolve(workspace, given.replace(/^~(?=\/|$)/, home));
  const [real, root] = [resolved(full), resolved(workspace)];
  // The workspace itself may be reached through a link: below it, names are as the rules have them.
  const isInside = real === root || real.startsWith(root === '/' ? '/' : `${root}/`);
  return { real: isInside ? path.join(workspace, path.relative(root, real)) : real };
}

/** A file that is not there yet is where its folder is. */
function resolved(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(resolved(parent), path.basename(file));
  }
}

function fieldOf(input: unknown, name: string): string | null {
  const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, name) : null;
  return typeof value === 'string' ? value : null;
}
