import { readForm } from './forms.ts';
import { type Found, isDeeper, type Reading, type SimpleCommand, stop } from './reading.ts';
import { readRedirection, readTexts } from './redirection.ts';
import { isHarmlessName } from './variables.ts';
import { readWord, type Word } from './word.ts';

const CHARACTERS_MAX = 32_768;
const COMMANDS_MAX = 500;
const WORDS_MAX = 500;

/** Words that are reserved where a command may begin; those that no form handles are not understood here. */
const RESERVED = new Set(
  (
    'if then elif else fi for while until do done case esac select function coproc foreach end repeat nocorrect ' +
    'noglob time in ! { } [[ ]] -'
  ).split(' '),
);

/**
 * Parses a command line: every program that sh, bash or zsh would start for it, and every file they would open.
 * It understands less than a shell, on purpose. Text that it cannot parse is a doubt, never a guess: a caller may allow
 * what was found only if there are no doubts. What a program does with its arguments is not considered here.
 */
export function readShell(text: string, depth = 0): Found {
  const found: Found = { commands: [], files: [], doubts: [] };
  const s: Reading = { text, at: 0, depth, pending: [], found, readList };
  if (text.length > CHARACTERS_MAX) stop(s, `more than ${CHARACTERS_MAX} characters`);
  else if (/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(text)) stop(s, 'a control character');
  else if (/[\p{Cf}\p{Cs}\u2028\u2029]/u.test(text)) stop(s, 'an invisible character');
  readList(s, []);
  if (s.pending.length > 0) stop(s, 'a here-document without its text');
  return found;
}

function readList(s: Reading, closers: readonly string[]): string | null {
  for (;;) {
    skipSeparators(s);
    if (s.at >= s.text.length) {
      if (closers.length > 0) stop(s, `no ${closers.join(' or ')} at the end`);
      return null;
    }
    const closer = closerHere(s, closers);
    if (closer !== null) {
      s.at += closer.length;
      return closer;
    }
    const from = s.at;
    readCommand(s);
    if (s.found.commands.length > COMMANDS_MAX) stop(s, `more than ${COMMANDS_MAX} commands`);
    if (s.at === from) stop(s, `${JSON.stringify(s.text.charAt(from))} where a command should be`);
  }
}

function closerHere(s: Reading, closers: readonly string[]): string | null {
  if (s.text.charAt(s.at) === ')') return closers.includes(')') ? ')' : null;
  const word = reservedHere(s);
  return word !== null && closers.includes(word) ? word : null;
}

function reservedHere(s: Reading): string | null {
  const word = /^[^\s;&|()<>]*/.exec(s.text.slice(s.at, s.at + 12))?.[0] ?? '';
  return RESERVED.has(word) ? word : null;
}

function skipSeparators(s: Reading): void {
  while (s.at < s.text.length) {
    const rest = s.text.slice(s.at, s.at + 2);
    if (rest === ';;' || rest === ';&' || rest === ';|') return stop(s, `${rest} outside of a case`);
    if (rest.startsWith('\n')) {
      s.at += 1;
      readTexts(s);
    } else if (rest.startsWith('#')) skipComment(s);
    // `&>` is a redirection in bash; it is parsed with its command.
    else if (/^[ \t;|]/.test(rest) || (rest.startsWith('&') && rest !== '&>')) s.at += 1;
    else return;
  }
}

// A shell without comments would run what is in them: only comments of harmless characters are skipped.
function skipComment(s: Reading): void {
  const comment = /^#[^\n]*/.exec(s.text.slice(s.at))?.[0] ?? '#';
  if (!/^#[A-Za-z0-9 \t,.:_/+-]*$/.test(comment)) return stop(s, 'a comment with special characters');
  s.at += comment.length;
}

function readCommand(s: Reading): void {
  if (s.text.charAt(s.at) === '(') {
    if (s.text.charAt(s.at + 1) === '(') return stop(s, 'arithmetic, which can run commands');
    return readSubshell(s);
  }
  const word = reservedHere(s);
  if (word === null || word === 'time') return readSimple(s);
  s.at += word.length;
  if (readForm(s, word)) readEnd(s);
}

function readSubshell(s: Reading): void {
  s.at += 1;
  if (!isDeeper(s)) return;
  s.readList(s, [')']);
  s.depth -= 1;
  readEnd(s);
}

/** After `)`, `}`, `fi` and `done` only redirections may follow, then the next command. */
function readEnd(s: Reading): void {
  skipBlanks(s);
  while (readRedirection(s)) skipBlanks(s);
  if (s.at < s.text.length && !/[\n;&|)]/.test(s.text.charAt(s.at))) stop(s, 'words after the end of a compound');
}

function readSimple(s: Reading): void {
  const from = s.at;
  const words: Word[] = [];
  let [end, opened, split] = [from, false, false];
  for (; s.at < s.text.length; skipBlanks(s)) {
    const before = s.at;
    // For sh this is an `&` and then a redirection: the words after it are another command.
    split ||= s.text.startsWith('&>', s.at);
    if (readRedirection(s)) {
      opened = true;
      continue;
    }
    if (s.text.charAt(s.at) === '#' && words.length > 0) break;
    const word = readWord(s);
    if (s.at === before) break;
    if (split) s.found.doubts.push('words after &>');
    takeWord(s, words, word);
    end = s.at;
  }
  // For this, zsh runs a program that it chooses itself.
  if (words.length === 0 && opened) s.found.doubts.push('a redirection without a command');
  if (words.length > 0) s.found.commands.push(asCommand(s, words, s.text.slice(from, end)));
}

function takeWord(s: Reading, words: Word[], word: Word): void {
  const name = /^([A-Za-z_]\w*)(\[|\+?=)/.exec(word.text)?.[1];
  if (name !== undefined && words.length === 0) {
    if (!isHarmlessName(name) || !word.text.startsWith(`${name}=`)) {
      s.found.doubts.push(`${name} is set, which can change what a command does`);
    }
    return;
  }
  if (word.text === '{' || word.text === '}') s.found.doubts.push('a brace among the words of a command');
  if (/\}$/.test(word.text) && /[<>]/.test(s.text.charAt(s.at))) s.found.doubts.push('a redirection to a variable');
  words.push(word);
  if (words.length > WORDS_MAX) stop(s, `more than ${WORDS_MAX} words in a command`);
}

function asCommand(s: Reading, words: readonly Word[], text: string): SimpleCommand {
  const [name] = words;
  if (name !== undefined && !(name.isCertain && name.isPlain)) {
    s.found.doubts.push(`which program ${name.text} is`);
  }
  return { text, words };
}

function skipBlanks(s: Reading): void {
  while (/[ \t]/.test(s.text.charAt(s.at))) s.at += 1;
}
