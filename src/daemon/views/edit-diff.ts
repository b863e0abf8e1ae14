import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { unifiedDiff } from '../../base/diff.ts';
import type { Action, Change, Replacement } from '../../core/rules/action.ts';

/** Larger files get no diff. */
const FILE_BYTES_MAX = 1024 * 1024;
const DIFF_CHARS_MAX = 256 * 1024;

interface Texts {
  readonly from: string;
  readonly to: string;
}

/** The diff of a call against the current files; null when it changes none, or the diff cannot be computed. */
export function editDiff(actions: readonly Action[], workspace: string): string | null {
  const all = actions.map((action) => diffOf(action, workspace));
  const diffs = all.filter((diff) => diff !== null);
  // An incomplete diff would look like the complete one.
  if (diffs.length === 0 || diffs.length < actions.length) return null;
  const diff = diffs.filter((each) => each !== '').join('\n');
  return diff.length <= DIFF_CHARS_MAX ? diff : `${diff.slice(0, DIFF_CHARS_MAX)}\n… the rest is not shown`;
}

function diffOf(action: Action, workspace: string): string | null {
  if (action.is !== 'write' || action.path === null || action.path.includes('\0')) return null;
  const { change } = action;
  if (change === null || change.is === 'diff') return change?.diff ?? null;
  const path = resolve(workspace, action.path);
  const now = textOf(path);
  if (now === null) return null;
  const { from, to } = changed(change, now);
  return unifiedDiff(from, to, path);
}

function changed(change: Exclude<Change, { is: 'diff' }>, now: string): Texts {
  if (change.is === 'text') return { from: now, to: change.text };
  return change.replacements.reduce<Texts>(replaced, { from: now, to: now });
}

/**
 * Applies a replacement. One that does not match is shown too: the tool will refuse it, but a person sees the intent.
 */
function replaced(text: Texts, { before, after, everywhere }: Replacement): Texts {
  if (before === '') return { from: text.from, to: after };
  if (!text.to.includes(before)) return { from: `${text.from}${before}\n`, to: `${text.to}${after}\n` };
  // As a function, so that a dollar sign in the new text is literal.
  const to = everywhere ? text.to.replaceAll(before, () => after) : text.to.replace(before, () => after);
  return { from: text.from, to };
}

/** The text of a regular file; empty when it does not exist yet. */
function textOf(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return '';
    return stat.isFile() && stat.size <= FILE_BYTES_MAX ? readFileSync(path, 'utf8') : null;
  } catch {
    return null; // Not readable for us: the question is shown without a diff.
  }
}
