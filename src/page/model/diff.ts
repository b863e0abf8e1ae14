import type { Action } from '../../api/step.ts';
import { unifiedDiff } from '../../base/diff.ts';

/** A line of a diff. `gap`: the head of a part, which says where in the file it is. */
export interface DiffLine {
  readonly is: 'same' | 'added' | 'removed' | 'gap' | 'note';
  readonly text: string;
  /** Its number before and after the change; null: unknown, or it is not there. */
  readonly before: number | null;
  readonly after: number | null;
}

/** The change of one file. */
export interface FileDiff {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const HEAD = /^(?:diff|index|old mode|new mode|new file|deleted file|similarity|dissimilarity|rename|Binary files) /;

/** Where in a file the next line is, and how many lines of its part are left. */
interface Place {
  before: number;
  after: number;
  readonly left: { before: number; after: number };
}

/** The files of a unified diff. */
export function parseDiff(text: string, path = ''): FileDiff[] {
  const files: FileDiff[] = [];
  let lines: DiffLine[] = [];
  let name = path;
  let at: Place | null = null;
  const close = (): void => {
    if (lines.length > 0) files.push(fileOf(name, lines));
    lines = [];
  };
  const all = text.replace(/\n$/, '').split('\n');
  for (const [i, line] of all.entries()) {
    // Inside of a part every line is one of the file, whatever it looks like.
    if (at !== null && at.left.before + at.left.after > 0) {
      lines.push(lineOf(line, at));
    } else if (line.startsWith('--- ') && all[i + 1]?.startsWith('+++ ')) {
      close();
      at = null;
    } else if (line.startsWith('+++ ') && all[i - 1]?.startsWith('--- ')) {
      name = line.slice(4).replace(/^b\//, '');
    } else if (HUNK.test(line)) {
      at = placeOf(line);
      if (lines.length > 0) lines.push({ is: 'gap', text: line, before: null, after: null });
    } else if (!HEAD.test(line)) {
      lines.push(lineOf(line, at));
    }
  }
  close();
  return files;
}

/** What the actions of a call change, as far as the call says so. */
export function actionDiffs(actions: readonly Action[]): FileDiff[] {
  return actions.flatMap((action) => {
    if (action.is !== 'write' || action.change === null) return [];
    const path = action.path ?? '';
    const { change } = action;
    if (change.is === 'diff') return parseDiff(change.diff, path);
    if (change.is === 'text') return parseDiff(unifiedDiff('', change.text, path), path);
    const parts = change.replacements.map(({ before, after }) => unifiedDiff(before, after, path));
    const lines = parts.flatMap((part) => parseDiff(part, path)).map((file) => withoutNumbers(file.lines));
    const joined = lines.flatMap((each, i) => (i === 0 ? each : [GAP, ...each]));
    return joined.length === 0 ? [] : [fileOf(path, joined)];
  });
}

const GAP: DiffLine = { is: 'gap', text: '', before: null, after: null };

/** Where in the file a replacement is made is not known. */
function withoutNumbers(lines: readonly DiffLine[]): DiffLine[] {
  return lines.filter(({ is }) => is !== 'note').map((line) => ({ ...line, before: null, after: null }));
}

function placeOf(line: string): Place {
  const [, before = '1', beforeLines = '1', after = '1', afterLines = '1'] = HUNK.exec(line) ?? [];
  return {
    before: Number(before),
    after: Number(after),
    left: { before: Number(beforeLines), after: Number(afterLines) },
  };
}

function lineOf(line: string, at: Place | null): DiffLine {
  const text = line.slice(1);
  const number = (side: 'before' | 'after'): number | null => {
    if (at === null) return null;
    at[side] += 1;
    at.left[side] -= 1;
    return at[side] - 1;
  };
  switch (line[0]) {
    case '+':
      return { is: 'added', text, before: null, after: number('after') };
    case '-':
      return { is: 'removed', text, before: number('before'), after: null };
    case '\\':
      return { is: 'note', text: line, before: null, after: null };
    default:
      return { is: 'same', text, before: number('before'), after: number('after') };
  }
}

function fileOf(path: string, lines: readonly DiffLine[]): FileDiff {
  const count = (kind: DiffLine['is']): number => lines.filter(({ is }) => is === kind).length;
  return { path, lines, added: count('added'), removed: count('removed') };
}
