import { OutlastError } from '../../base/errors.ts';

/** A part of a query: a word or a phrase, which may be the beginning of a longer word. */
export interface Term {
  /** Its words, in small letters and without accents. Together they are a phrase. */
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** Words in the sense of SQLite's tokenizer `unicode61`; of scripts without spaces each character is one. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const CHARACTER_WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/gu;
const TERMS_MAX = 32;
const PREFIX_CHARS_MIN = 2;

/**
 * The terms of a query. Words apart may be anywhere in a text; words in double quotes, or joined by other signs as in
 * `src/net/retry.ts`, follow each other. A `*` at the end stands for the rest of a word.
 */
export function termsOf(query: string): Term[] {
  const terms = [...query.matchAll(/"([^"]*)"?(\*?)|(\S+)/g)].flatMap(([, phrase, star = '', word = '']): Term[] => {
    const text = phrase ?? word;
    const words = wordsIn(text).flatMap(({ word }) => (word === '' ? [] : [word]));
    const isOpen = star === '*' || (phrase === undefined && text.endsWith('*'));
    // One letter is the beginning of too many words.
    const isPrefix = isOpen && (words.at(-1)?.length ?? 0) >= PREFIX_CHARS_MIN;
    return words.length === 0 ? [] : [{ words, isPrefix }];
  });
  if (terms.length === 0) {
    const what = query.trim() === '' ? 'there is no word to search for' : `${query.trim()} has no letter and no digit`;
    throw new OutlastError('input_invalid', `${what}; name at least one word`);
  }
  if (terms.length > TERMS_MAX) throw new OutlastError('input_invalid', `a search has at most ${TERMS_MAX} words`);
  return terms;
}

/** The terms as an expression of SQLite's full text search; every one has to match. */
export function expressionOf(terms: readonly Term[]): string {
  // Words have letters and digits only, so nothing in them has a meaning for SQLite.
  return terms.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? '*' : ''}`).join(' AND ');
}

/** A text as it is given to the tokenizer: scripts without spaces get them. */
export function indexedText(text: string): string {
  return text.replace(CHARACTER_WORDS, ' $& ');
}

/** Where a text has words. */
export interface Found {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** The words of a text as they are compared. */
export function wordsIn(text: string): Found[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: run, index }) => split(run, index));
}

function split(run: string, index: number): Found[] {
  const found: Found[] = [];
  let from = 0;
  for (const { 0: character, index: at } of run.matchAll(CHARACTER_WORDS)) {
    if (at > from) found.push(foundAt(run, index, from, at));
    from = at + character.length;
    found.push(foundAt(run, index, at, from));
  }
  if (from < run.length) found.push(foundAt(run, index, from, run.length));
  return found;
}

function foundAt(run: string, index: number, from: number, to: number): Found {
  return { word: folded(run.slice(from, to)), from: index + from, to: index + to };
}

/** As the tokenizer does: small letters, without accents. */
function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
