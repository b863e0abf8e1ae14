import type { Action } from '../../core/rules/action.ts';

/** What a line of a patch says about a file. */
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const END_OF_FILE = '*** End of File';

/** A patch that cannot be parsed could write anywhere. */
const ANYWHERE: readonly Action[] = [{ is: 'write', path: null, change: null }];

interface Piece {
  readonly verb: string;
  readonly path: string;
  readonly lines: string[];
}

/** The writes of a patch, by file. `field`: the field of the tool's input that had it. */
export function patchActions(patch: string, field: string): readonly Action[] {
  const lines = patch.trim().split(/\r?\n/);
  if (lines.shift()?.trim() !== '*** Begin Patch' || lines.pop()?.trim() !== '*** End Patch') return ANYWHERE;
  const pieces: Piece[] = [];
  for (const line of lines) {
    const [, verb, path] = FILE.exec(line) ?? [];
    if (verb !== undefined && path !== undefined) pieces.push({ verb, path: path.trim(), lines: [] });
    // The tool may read an unknown line as the start of another file.
    else if (pieces.length === 0 || isUnknown(line)) return ANYWHERE;
    else pieces.at(-1)?.lines.push(line);
  }
  return pieces.length === 0 ? ANYWHERE : pieces.flatMap((piece) => writesOf(piece, field));
}

function isUnknown(line: string): boolean {
  return line.startsWith('***') && line.trim() !== END_OF_FILE && !MOVE.test(line);
}

function writesOf({ verb, path, lines }: Piece, field: string): Action[] {
  const fields = [field];
  if (verb === 'Add') {
    const text = lines.map((line) => `${line.replace(/^\+/, '')}\n`).join('');
    return [{ is: 'write', path, change: { is: 'text', text, fields } }];
  }
  const diff = verb === 'Delete' ? `*** Delete File: ${path}` : lines.join('\n');
  const targets = lines.flatMap((line) => MOVE.exec(line)?.[1]?.trim() ?? []);
  return [path, ...targets].map((each) => ({ is: 'write', path: each, change: { is: 'diff', diff, fields } }));
}
