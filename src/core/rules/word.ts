import { type Reading, readBackticks, readInside, stop } from './reading.ts';

/** One word of a command line. */
export interface Word {
  /** The word as it is written. */
  readonly text: string;
  /** What the program gets; meaningful only if it is certain. */
  readonly value: string;
  /** False when the shell expands it to something that is not known: a variable, a pattern, a substitution. */
  readonly isCertain: boolean;
  /** Has no quotes and no backslash. */
  readonly isPlain: boolean;
}

interface Draft {
  value: string;
  isCertain: boolean;
  isPlain: boolean;
}

/** Where a word ends, outside of quotes. */
const WORD_END = /[ \t\n;&|<>()]/;
const PLAIN = /[A-Za-z0-9_./:,@%+=-]/;
/** Each of these is special to sh, bash or zsh, and none of them can run a program by itself. */
const WILD = /[*?[\]{}~^!#]/;

/** Reads the word that begins here; its text is empty if there is none. */
export function readWord(s: Reading): Word {
  const from = s.at;
  const draft: Draft = { value: '', isCertain: true, isPlain: true };
  if (/^[<>]\(/.test(s.text.slice(s.at, s.at + 2))) readProcess(s, draft);
  while (s.at < s.text.length && !WORD_END.test(s.text.charAt(s.at))) readPiece(s, draft, s.at === from);
  if (s.text.charAt(s.at) === '(') stop(s, 'a bracket that belongs to a word');
  const text = s.text.slice(from, s.at);
  return { text, ...draft, isCertain: (draft.isCertain || isLiteral(text)) && !/^=./.test(text) };
}

/** A word that is exactly this text. */
export function literal(value: string): Word {
  return { text: value, value, isCertain: true, isPlain: true };
}

/** A word with an unknown value. */
export function unknownWord(text: string): Word {
  return { text, value: '', isCertain: false, isPlain: false };
}

/** Reads the text of a here-document up to its end: the shell expands variables and substitutions in it. */
export function readExpansions(s: Reading): void {
  const draft: Draft = { value: '', isCertain: true, isPlain: true };
  while (s.at < s.text.length) readQuotedPiece(s, draft);
}

// `{}` is for find and xargs, `[` is a program, `~/x` means the same in a rule as in a command.
function isLiteral(text: string): boolean {
  return text === '{}' || text === '[' || text === ']' || /^~(\/[A-Za-z0-9_./:,@%+=-]*)?$/.test(text);
}

function readPiece(s: Reading, draft: Draft, isFirst: boolean): void {
  const c = s.text.charAt(s.at);
  if (c === "'") return readSingle(s, draft);
  if (c === '"') return readDouble(s, draft);
  if (c === '\\') return readEscaped(s, draft);
  if (c === '`' || c === '$') return readExpansion(s, draft, false);
  if (WILD.test(c)) {
    if (isFirst && c === '#') return stop(s, 'a comment where a word should be');
    draft.isCertain = false;
  } else if (!PLAIN.test(c)) return stop(s, `${JSON.stringify(c)} outside of quotes`);
  draft.value += c;
  s.at += 1;
}

function readSingle(s: Reading, draft: Draft): void {
  const end = s.text.indexOf("'", s.at + 1);
  if (end === -1) return stop(s, 'a quote that does not end');
  const inside = s.text.slice(s.at + 1, end);
  if (inside.includes('\n') && s.pending.length > 0) return stop(s, 'a quote across the start of a here-document');
  draft.value += inside;
  draft.isPlain = false;
  s.at = end + 1;
}

function readDouble(s: Reading, draft: Draft): void {
  draft.isPlain = false;
  s.at += 1;
  while (s.at < s.text.length && s.text.charAt(s.at) !== '"') {
    if (s.text.charAt(s.at) === '\n' && s.pending.length > 0) return stop(s, 'a quote across a here-document');
    readQuotedPiece(s, draft);
  }
  if (s.text.charAt(s.at) !== '"') return stop(s, 'a quote that does not end');
  s.at += 1;
}

function readQuotedPiece(s: Reading, draft: Draft): void {
  const c = s.text.charAt(s.at);
  if (c === '`' || c === '$') return readExpansion(s, draft, true);
  const next = s.text.charAt(s.at + 1);
  if (c === '\\' && (next === '\n' || next === '')) return stop(s, 'a line that is continued');
  const isEscape = c === '\\' && /[$"`\\]/.test(next);
  draft.value += isEscape ? next : c;
  s.at += isEscape ? 2 : 1;
}

function readEscaped(s: Reading, draft: Draft): void {
  const next = s.text.charAt(s.at + 1);
  if (next === '\n' || next === '') return stop(s, 'a line that is continued');
  if (!/[ -~]/.test(next)) return stop(s, 'a backslash before a letter that is not plain');
  draft.value += next;
  draft.isPlain = false;
  s.at += 2;
}

function readExpansion(s: Reading, draft: Draft, isQuoted: boolean): void {
  draft.isPlain = false;
  if (s.text.charAt(s.at) === '`') {
    draft.isCertain = false;
    return readBackticks(s, isQuoted);
  }
  const rest = s.text.slice(s.at + 1, s.at + 130);
  if (rest.startsWith('((') || rest.startsWith('[')) return stop(s, 'arithmetic, which can run commands');
  if (rest.startsWith('(')) {
    draft.isCertain = false;
    s.at += 2;
    return readInside(s);
  }
  // Anything more than a name in the braces can run commands: ${x:=$(y)}, ${x@P}, ${(e)x}.
  const name = /^(?:\w{1,100}(?!\w)|[@*#?$!-]|\{(?:\w{1,100}|[@*#?$!-])\})/.exec(rest)?.[0];
  if (name !== undefined && rest.charAt(name.length) !== '[') {
    draft.isCertain = false;
    s.at += 1 + name.length;
  } else if (isQuoted ? /^(["\s/.,;)%|]|$)/.test(rest) : /^([\s]|$)/.test(rest)) {
    draft.value += '$';
    s.at += 1;
  } else stop(s, 'an expansion that is more than a name');
}

function readProcess(s: Reading, draft: Draft): void {
  draft.isCertain = false;
  draft.isPlain = false;
  s.at += 2;
  readInside(s);
  if (s.at < s.text.length && !WORD_END.test(s.text.charAt(s.at))) stop(s, 'a word that goes on after a substitution');
}
