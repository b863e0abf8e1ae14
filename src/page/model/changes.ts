import type { Changes } from '../../api/changes-shape.ts';
import { type DiffLine, type FileDiff, parseDiff } from './diff.ts';

/** A file that a session has changed, with its lines. */
export interface ChangedFile {
  readonly file: Changes['files'][number];
  /** Empty where there is nothing to show; `why` says why. */
  readonly lines: readonly DiffLine[];
  readonly why: 'binary' | 'large' | 'renamed' | 'mode' | null;
  /** It changes with the lines: what was viewed is looked at again when it is another. */
  readonly digest: string;
}

/** The files of a comparison, in its order. */
export function changedFiles({ files, diff }: Changes): ChangedFile[] {
  const sections = sectionsOf(diff);
  return files.map((file) => {
    const lines = sections.get(file.path) ?? [];
    return { file, lines, why: lines.length > 0 ? null : whyOf(file), digest: digestOf(file, lines) };
  });
}

function whyOf({ binary, inDiff, status, additions, deletions }: ChangedFile['file']): ChangedFile['why'] {
  if (binary) return 'binary';
  if (!inDiff && (additions ?? 0) + (deletions ?? 0) > 0) return 'large';
  return status === 'renamed' ? 'renamed' : 'mode';
}

/** The lines of each file, by its path. */
function sectionsOf(diff: string): Map<string, readonly DiffLine[]> {
  const sections = new Map<string, readonly DiffLine[]>();
  // A line of a file begins with a sign, so this is always a head.
  for (const section of diff.split(/^(?=diff --git )/m)) {
    const path = pathOf(section);
    const lines = parseDiff(section).flatMap(({ lines: each }: FileDiff) => each);
    // A file that became a link is removed and added.
    if (lines.length > 0) sections.set(path, [...(sections.get(path) ?? []), ...lines]);
  }
  return sections;
}

/** The path of a file after the change; of a deleted one, before it. */
function pathOf(section: string): string {
  const head = section.split(/^@@ /m)[0] ?? '';
  const named = (pattern: RegExp): string | null => {
    const [, name] = pattern.exec(head) ?? [];
    return name === undefined || name === '/dev/null' ? null : unquoted(name).replace(/^[ab]\//, '');
  };
  return named(/^\+\+\+ (.+?)\t?$/m) ?? named(/^--- (.+?)\t?$/m) ?? '';
}

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git writes odd characters of a path as C does, in quotes, byte by byte. */
function unquoted(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [whole, octal, letter] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(LETTERS[letter] ?? letter.charCodeAt(0));
    else bytes.push(...encoder.encode(whole));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

function digestOf({ status, additions, deletions }: ChangedFile['file'], lines: readonly DiffLine[]): string {
  let hash = 0x811c9dc5;
  for (const { is, text } of lines) {
    for (const letter of `${is} ${text}\n`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  return `${status} ${additions} ${deletions} ${(hash >>> 0).toString(16)}`;
}

/** A row of the view with both sides; null: nothing is there. */
export interface SplitRow {
  readonly before: DiffLine | null;
  readonly after: DiffLine | null;
}

/** Puts removed lines beside those that replace them. */
export function splitRows(lines: readonly DiffLine[]): SplitRow[] {
  const rows: SplitRow[] = [];
  let removed: DiffLine[] = [];
  const flush = (): void => {
    rows.push(...removed.map((before) => ({ before, after: null })));
    removed = [];
  };
  for (const line of lines) {
    if (line.is === 'removed') removed.push(line);
    else if (line.is === 'added') rows.push({ before: removed.shift() ?? null, after: line });
    else {
      flush();
      rows.push({ before: line, after: line });
    }
  }
  flush();
  return rows;
}

/** For each removed line the added one that replaces it, and the other way around. */
export function partnersOf(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, DiffLine> {
  const partners = new Map<DiffLine, DiffLine>();
  for (const { before, after } of splitRows(lines)) {
    if (before?.is !== 'removed' || after?.is !== 'added') continue;
    partners.set(before, after);
    partners.set(after, before);
  }
  return partners;
}
