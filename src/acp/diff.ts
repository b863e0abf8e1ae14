import { resolve } from 'node:path';
import type { Diff } from '@agentclientprotocol/sdk';
import type { Action } from '../core/rules/action.ts';

/** The changes of a call to files, as an editor shows them. */
export function diffsOf(actions: readonly Action[], workspace: string): Diff[] {
  return actions.flatMap((action): Diff[] => {
    if (action.is !== 'write' || action.path === null || action.change === null) return [];
    const path = resolve(workspace, action.path);
    const { change } = action;
    switch (change.is) {
      case 'text':
        // What the file had before is not known any more.
        return [{ path, newText: change.text }];
      case 'replacements':
        return change.replacements.map(({ before, after }) => ({ path, oldText: before, newText: after }));
      case 'diff':
        return [{ path, ...sidesOf(change.diff) }];
    }
  });
}

/** The files of a unified diff, each with the lines that it shows before and after. */
export function diffsIn(text: string, workspace: string): Diff[] {
  const files = text.split(/^(?=--- )/m).filter((part) => part.startsWith('--- '));
  return files.flatMap((part): Diff[] => {
    const [, before = ''] = /^--- (?:a\/)?([^\t\n]*)/.exec(part) ?? [];
    const [, after = ''] = /^\+\+\+ (?:b\/)?([^\t\n]*)/m.exec(part) ?? [];
    const name = after === '/dev/null' || after === '' ? before : after;
    const { oldText, newText } = sidesOf(part.replace(/^(---|\+\+\+) .*\n/gm, ''));
    const isNew = before === '/dev/null';
    return name === '' ? [] : [{ path: resolve(workspace, name), ...(isNew ? {} : { oldText }), newText }];
  });
}

/** The lines before and after, without the heads of the hunks. */
function sidesOf(diff: string): { oldText: string; newText: string } {
  const lines = diff.split('\n').filter((line) => /^[ +-]/.test(line) && !/^(?:---|\+\+\+) /.test(line));
  const side = (mark: string): string =>
    lines
      .filter((line) => line.startsWith(' ') || line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return { oldText: side('-'), newText: side('+') };
}
