import type { Word } from './word.ts';

const NUMBERS = new Set(['bg', 'break', 'continue', 'exit', 'fg', 'return', 'ulimit', 'umask', 'wait']);
const COMPARES = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;

/**
 * True when a builtin may evaluate one of its words as arithmetic. Arithmetic can run commands: `test -v 'a[$(x)]'`
 * does in bash, `printf %d 'a[$(x)]'` and `exit 'a[$(x)]'` do in zsh, and so does a variable that holds such a text.
 */
export function mayCalculate(name: string, words: readonly Word[]): boolean {
  if (NUMBERS.has(name)) return words.some(({ value, isCertain }) => !isCertain || !/^\d+$/.test(value));
  if (name === 'printf' || name === 'print') return mayFormat(name, words);
  if (name === 'test') return mayCompare(words);
  return name === '[' && mayCompare(words.slice(0, -1));
}

/** Safe only if nothing but text is printed: no number, no width from a word, no variable that is set. */
function mayFormat(name: string, [format, ...words]: readonly Word[]): boolean {
  if (name === 'print') return [format, ...words].some((word) => word !== undefined && !isText(word));
  if (format === undefined) return false;
  return !format.isCertain || format.value.startsWith('-') || /%(?!%|s|b|q)/.test(format.value.replaceAll('%%', ''));
}

function isText({ value, isCertain }: Word): boolean {
  return isCertain && !value.startsWith('-');
}

/** A word that is not certain is safe only where it cannot become an operator. */
function mayCompare(words: readonly Word[]): boolean {
  if (words.some(({ value, isCertain }) => isCertain && COMPARES.test(value))) {
    return words.some(({ value, isCertain }) => !isCertain || !(COMPARES.test(value) || /^-?\d+$/.test(value)));
  }
  if (words.every(({ isCertain }) => isCertain)) return false;
  const [first, second] = words;
  const isQuoted = words.every(({ isCertain, text }) => isCertain || /^"[^"]*"$|^"\$\([\s\S]*\)"$/.test(text));
  if (!isQuoted) return true;
  if (words.length === 2) return !(first?.isCertain && /^-[defnrswxzL]$/.test(first.value));
  return !(words.length === 3 && second?.isCertain && /^(?:=|!=)$/.test(second.value));
}
