import type { Word } from './word.ts';

/** One program with its words, or a shell builtin. */
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

/** What a command line would do, and every reason for doubt. */
export interface Found {
  readonly commands: SimpleCommand[];
  readonly files: FileUse[];
  readonly doubts: string[];
}

/** A here-document whose text begins after the next line break. */
export interface HereDocument {
  readonly end: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
}

/** The state of the parser: a position in a command line and what was found so far. */
export interface Reading {
  readonly text: string;
  at: number;
  depth: number;
  pending: HereDocument[];
  readonly found: Found;
  /** Reads commands up to one of the closers, and returns it. It is passed in because words can contain commands. */
  readonly readList: (s: Reading, closers: readonly string[]) => string | null;
}

const DEPTH_MAX = 16;

/** Stops parsing: what was found stays, and the doubt keeps the command line from being allowed. */
export function stop(s: Reading, why: string): void {
  s.found.doubts.push(why);
  s.at = s.text.length;
}

/** Reads the commands of `$(` or `<(` up to the closing parenthesis. */
export function readInside(s: Reading): void {
  if (s.pending.length > 0) return stop(s, 'a substitution before the text of a here-document');
  if (!isDeeper(s)) return;
  if (s.readList(s, [')']) === null) stop(s, 'a substitution that does not end');
  if (s.pending.length > 0) stop(s, 'a here-document without its text');
  s.depth -= 1;
}

/** Reads a command substitution in backticks. */
export function readBackticks(s: Reading, isQuoted: boolean): void {
  const end = s.text.indexOf('`', s.at + 1);
  const text = end === -1 ? '' : s.text.slice(s.at + 1, end);
  if (end === -1) return stop(s, 'backticks that do not end');
  // Shells differ in what a backslash or a quote means in there.
  if (text.includes('\\') || (isQuoted && text.includes('"'))) return stop(s, 'quotes inside backticks');
  if (s.pending.length > 0) return stop(s, 'a substitution before the text of a here-document');
  if (!isDeeper(s)) return;
  const inner: Reading = { ...s, text, at: 0, pending: [] };
  s.readList(inner, []);
  if (inner.pending.length > 0) return stop(s, 'a here-document without its text');
  s.depth -= 1;
  s.at = end + 1;
}

/** Adds one level of nesting; false when the limit is exceeded. */
export function isDeeper(s: Reading): boolean {
  s.depth += 1;
  if (s.depth > DEPTH_MAX) stop(s, 'commands are nested too deeply');
  return s.depth <= DEPTH_MAX;
}
