import type { Word } from './word.ts';

/** One program with its words, or a builtin of the shell. */
export interface SimpleCommand {
  readonly text: string;
  readonly words: readonly Word[];
}

/** A file that the shell itself opens for a redirection. */
export interface FileUse {
  readonly text: string;
  readonly use: 'read' | 'write';
  readonly path: Word;
}

/** What a command line would do, and every reason not to be sure of it. */
export interface Found {
  readonly commands: SimpleCommand[];
  readonly files: FileUse[];
  readonly doubts: string[];
}

/** A here-document whose text begins after the next line end. */
export interface HereDocument {
  readonly end: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
}

/** A place in a command line that is being read. */
export interface Reading {
  readonly text: string;
  at: number;
  depth: number;
  pending: HereDocument[];
  readonly found: Found;
  /** Reads commands up to one of the closers, and gives it back. It comes in here because words hold commands. */
  readonly readList: (s: Reading, closers: readonly string[]) => string | null;
}

const DEPTH_MAX = 16;

/** Gives up: what was found stays, and the doubt keeps the whole from being allowed. */
export function stop(s: Reading, why: string): void {
  s.found.doubts.push(why);
  s.at = s.text.length;
}

/** Reads the commands of `$(` or `<(` and the bracket that ends them. */
export function readInside(s: Reading): void {
  if (s.pending.length > 0) return stop(s, 'a substitution before the text of a here-document');
  if (!isDeeper(s)) return;
  if (s.readList(s, [')']) === null) stop(s, 'a substitution that does not end');
  if (s.pending.length > 0) stop(s, 'a here-document without its text');
  s.depth -= 1;
}

/** Reads a substitution in backticks. */
export function readBackticks(s: Reading, isQuoted: boolean): void {
  const end = s.text.indexOf('`', s.at + 1);
  const text = end === -1 ? '' : s.text.slice(s.at + 1, end);
  if (end === -1) return stop(s, 'backticks that do not end');
  // What a backslash or a quote means in there is not the same in every shell.
  if (text.includes('\\') || (isQuoted && text.includes('"'))) return stop(s, 'quoting inside of backticks');
  if (s.pending.length > 0) return stop(s, 'a substitution before the text of a here-document');
  if (!isDeeper(s)) return;
  const inner: Reading = { ...s, text, at: 0, pending: [] };
  s.readList(inner, []);
  if (inner.pending.length > 0) return stop(s, 'a here-document without its text');
  s.depth -= 1;
  s.at = end + 1;
}

/** Counts one level of nesting; false when there were too many. */
export function isDeeper(s: Reading): boolean {
  s.depth += 1;
  if (s.depth > DEPTH_MAX) stop(s, 'too many commands inside of commands');
  return s.depth <= DEPTH_MAX;
}
