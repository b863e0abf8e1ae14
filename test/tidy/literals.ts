import { sources } from './tree.ts';

/** A text between quotes in the source; `{}` stands for each value that a template inserts. */
export interface Literal {
  readonly at: string;
  readonly text: string;
}

/** The texts of a source file. Comments and regular expressions are left out. */
export function literalsOf(path: string, source: string): Literal[] {
  const found: Literal[] = [];
  read(source, 0, false, (from, text) => {
    found.push({ at: `${path}:${source.slice(0, from).split('\n').length}`, text });
  });
  return found;
}

/** The texts of the product. */
export function literals(): Literal[] {
  return sources().flatMap(({ path, text }) => literalsOf(path, text));
}

type Found = (from: number, text: string) => void;

/** Reads code up to its end, or up to the brace that ends an inserted value; returns where that is. */
function read(source: string, start: number, isInserted: boolean, found: Found): number {
  let depth = 0;
  let before = '';
  for (let i = start; i < source.length; i += 1) {
    const c = source.charAt(i);
    const skipped = afterSkipped(source, i, before);
    if (skipped > i) {
      i = skipped - 1;
    } else if (c === "'" || c === '"' || c === '`') {
      i = quoted(source, i, found);
    } else if (c === '{') {
      depth += 1;
    } else if (c === '}') {
      if (isInserted && depth === 0) return i;
      depth -= 1;
    }
    if (c.trim() !== '') before = c;
  }
  return source.length;
}

/** The end of the comment or the regular expression that begins here. */
function afterSkipped(source: string, i: number, before: string): number {
  if (source.charAt(i) !== '/') return i;
  const next = source.charAt(i + 1);
  if (next === '/') return endOf(source, '\n', i);
  if (next === '*') return endOf(source, '*/', i) + 2;
  if (!'(,=:[!&|?{};>'.includes(before)) return i;
  const regex = /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/.exec(source.slice(i, i + 2_000));
  return i + (regex?.[0].length ?? 0);
}

function endOf(source: string, word: string, from: number): number {
  const end = source.indexOf(word, from);
  return end < 0 ? source.length : end;
}

/** The end of a quoted text: the place of its last quote. */
function quoted(source: string, start: number, found: Found): number {
  const quote = source.charAt(start);
  let text = '';
  let i = start + 1;
  for (; i < source.length && source.charAt(i) !== quote; i += 1) {
    if (source.charAt(i) === '\\') {
      i += 1;
      text += source.charAt(i) === 'n' ? '\n' : source.charAt(i);
    } else if (quote === '`' && source.startsWith('${', i)) {
      i = read(source, i + 2, true, found);
      text += '{}';
    } else {
      text += source.charAt(i);
    }
  }
  found(start, text);
  return i;
}
