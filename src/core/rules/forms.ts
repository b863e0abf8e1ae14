import { isDeeper, type Reading, stop } from './reading.ts';
import { isHarmlessName } from './variables.ts';
import { readWord } from './word.ts';

/** Reads a compound command up to the word that ends it; false when a plain command follows the reserved word. */
export function readForm(s: Reading, word: string): boolean {
  if (!isDeeper(s)) return true;
  const isForm = FORMS[word]?.(s);
  s.depth -= 1;
  if (isForm === undefined) stop(s, `${word} is not understood here`);
  return isForm === true;
}

const FORMS: Readonly<Record<string, (s: Reading) => boolean>> = {
  '!': () => false,
  '{': (s) => reads(s, '}'),
  if: readIf,
  while: (s) => reads(s, 'do') && reads(s, 'done'),
  until: (s) => reads(s, 'do') && reads(s, 'done'),
  for: readFor,
};

function reads(s: Reading, ...closers: string[]): boolean {
  return s.readList(s, closers) !== null;
}

function readIf(s: Reading): boolean {
  if (!reads(s, 'then')) return true;
  for (;;) {
    const closer = s.readList(s, ['elif', 'else', 'fi']);
    if (closer === 'else') return reads(s, 'fi');
    if (closer !== 'elif' || !reads(s, 'then')) return true;
  }
}

function readFor(s: Reading): boolean {
  const [head = '', name = ''] = /^[ \t]+([A-Za-z_]\w*)[ \t]*/.exec(s.text.slice(s.at)) ?? [];
  if (name === '') return fail(s, 'a for without a name');
  if (!isHarmlessName(name)) s.found.doubts.push(`${name} is set, which can change what a command does`);
  s.at += head.length;
  if (/^in[ \t]/.test(s.text.slice(s.at, s.at + 3))) {
    s.at += 2;
    readWords(s);
  }
  const [gap = '', start = ''] = /^[ \t]*[;\n][ \t\n]*(do)(?=[\s;&|()<>]|$)/.exec(s.text.slice(s.at)) ?? [];
  if (start === '') return fail(s, 'a for without its do');
  if (gap.includes('\n') && s.pending.length > 0) return fail(s, 'a here-document in the head of a for');
  s.at += gap.length;
  return reads(s, 'done');
}

function readWords(s: Reading): void {
  for (let before = -1; before !== s.at; ) {
    while (/[ \t]/.test(s.text.charAt(s.at))) s.at += 1;
    before = s.at;
    readWord(s);
  }
}

function fail(s: Reading, why: string): boolean {
  stop(s, why);
  return true;
}
