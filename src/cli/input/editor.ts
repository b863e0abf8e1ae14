import { fs, path } from '../../client/node.ts';

/** The result of editing a JSON object, or why there is none. */
export type Edited = { readonly edit: Record<string, unknown> } | { readonly why: string };

/** Lets a person edit a JSON object in their own editor. */
export function editedJson(value: unknown, env: Readonly<Record<string, string | undefined>>): Edited {
  const folder = fs.mkdtempSync(path.join(process.getBuiltinModule('node:os').tmpdir(), 'outlast-edit-'));
  const file = path.join(folder, 'input.json');
  try {
    const before = `${JSON.stringify(value, null, 2)}\n`;
    fs.writeFileSync(file, before, { mode: 0o600 });
    const status = inEditor(file, env);
    const after = fs.readFileSync(file, 'utf8');
    if (status !== 0) return { why: `the editor exited with ${status}; nothing was decided` };
    return after === before ? { why: 'nothing was changed; nothing was decided' } : parsed(after);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a file in the editor of the person, and returns the exit status; null: a signal ended it. */
export function inEditor(file: string, env: Readonly<Record<string, string | undefined>>): number | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const editor = env.VISUAL || env.EDITOR || 'vi';
  // Through a shell, as usual: an editor may have arguments.
  return spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' }).status;
}

function parsed(text: string): Edited {
  try {
    const edit: unknown = JSON.parse(text);
    if (typeof edit === 'object' && edit !== null && !Array.isArray(edit))
      return { edit: edit as Record<string, unknown> };
    return { why: 'not a JSON object; nothing was decided' };
  } catch (error) {
    return { why: `not JSON: ${error instanceof Error ? error.message : error}; nothing was decided` };
  }
}
