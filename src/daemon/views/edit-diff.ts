import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { unifiedDiff } from '../../base/diff.ts';
import { fieldOf } from '../../core/rules/input.ts';

/** Larger files are not shown as a change. */
const FILE_BYTES_MAX = 1024 * 1024;
const DIFF_CHARS_MAX = 256 * 1024;

interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly everywhere: boolean;
}

/** What a call would change in the file as it is now; null when it changes none, or nobody can tell. */
export function editDiff(tool: string, input: unknown, workspace: string): string | null {
  const given = fieldOf(input, 'file_path');
  if (typeof given !== 'string' || given.includes('\0')) return null;
  const path = resolve(workspace, given);
  const now = textOf(path);
  if (now === null) return null;
  const after = afterOf(tool, input, now);
  if (after === null) return null;
  const diff = unifiedDiff(after.from, after.to, path);
  return diff.length <= DIFF_CHARS_MAX ? diff : `${diff.slice(0, DIFF_CHARS_MAX)}\n… the rest is not shown`;
}

function afterOf(tool: string, input: unknown, now: string): { readonly from: string; readonly to: string } | null {
  if (tool === 'Write') {
    const content = fieldOf(input, 'content');
    return typeof content === 'string' ? { from: now, to: content } : null;
  }
  const edits = replacementsOf(tool, input);
  if (edits.length === 0) return null;
  return edits.reduce<{ from: string; to: string } | null>((text, edit) => text && replaced(text, edit), {
    from: now,
    to: now,
  });
}

function replacementsOf(tool: string, input: unknown): Replacement[] {
  const list = tool === 'Edit' ? [input] : tool === 'MultiEdit' ? fieldOf(input, 'edits') : [];
  return (Array.isArray(list) ? list : []).flatMap((each): Replacement[] => {
    const [before, after] = [fieldOf(each, 'old_string'), fieldOf(each, 'new_string')];
    if (typeof before !== 'string' || typeof after !== 'string') return [];
    return [{ before, after, everywhere: fieldOf(each, 'replace_all') === true }];
  });
}

/** What is not in the file is shown all the same: the tool will refuse it, and a person sees what was meant. */
function replaced(
  text: { readonly from: string; readonly to: string },
  { before, after, everywhere }: Replacement,
): { from: string; to: string } {
  if (before === '') return { from: text.from, to: after };
  if (!text.to.includes(before)) return { from: `${text.from}${before}\n`, to: `${text.to}${after}\n` };
  // As a function: a dollar sign in the new text means itself.
  const to = everywhere ? text.to.replaceAll(before, () => after) : text.to.replace(before, () => after);
  return { from: text.from, to };
}

/** The text of a plain file; empty when there is none yet. */
function textOf(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return '';
    return stat.isFile() && stat.size <= FILE_BYTES_MAX ? readFileSync(path, 'utf8') : null;
  } catch {
    return null; // Not ours to read: the question is shown without it.
  }
}
