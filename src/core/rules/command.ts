import { fitsText } from './glob.ts';
import type { Rule } from './rules.ts';
import { readShell } from './shell.ts';
import type { Word } from './word.ts';
import { baseName } from './wrappers.ts';

/** How well a pattern matches a command. `words` is how many of its words the pattern spells out. */
export type Fit = { readonly is: 'yes'; readonly words: number } | { readonly is: 'maybe' } | { readonly is: 'no' };

const NO: Fit = { is: 'no' };
const MAYBE: Fit = { is: 'maybe' };

/** How an allow rule matches: only certain words count, and the program must be spelled the same. */
export function fitsNarrowly(rule: Rule, words: readonly Word[]): Fit {
  if (rule.pattern === null) return { is: 'yes', words: Number.POSITIVE_INFINITY };
  const { given, isOpen, isGlob } = shapeOf(rule);
  if (isGlob) return fitsGlob(rule.pattern, words);
  if (given === null || words.length < given.length || (!isOpen && words.length > given.length)) return NO;
  const same = given.every((value, i) => words[i]?.isCertain === true && words[i].value === value);
  return same ? { is: 'yes', words: given.length } : NO;
}

/** How a deny or ask rule matches: also by another path to the program, and where a word might expand to it. */
export function fitsWidely(rule: Rule, words: readonly Word[]): Fit {
  if (rule.pattern === null) return { is: 'yes', words: Number.POSITIVE_INFINITY };
  const [first, ...rest] = words;
  const bare = first === undefined ? [] : [{ ...first, value: baseName(first.value) }, ...rest];
  const exact = [words, bare].map((each) => fitsNarrowly(rule, each)).find(({ is }) => is === 'yes');
  if (exact !== undefined) return exact;
  const { given, isGlob } = shapeOf(rule);
  if (isGlob || given === null) return words.some(({ isCertain }) => !isCertain) ? MAYBE : NO;
  return isHiddenIn(given, bare) ? MAYBE : NO;
}

interface Shape {
  /** The words that a pattern begins with; null when it is not a single plain command. */
  readonly given: readonly string[] | null;
  readonly isOpen: boolean;
  readonly isGlob: boolean;
}

/** Parsed patterns. Each rule is compared with every program of every call, and its text never changes. */
const shapes = new WeakMap<Rule, Shape>();

function shapeOf(rule: Rule): Shape {
  const known = shapes.get(rule) ?? readShape(rule.pattern ?? '');
  shapes.set(rule, known);
  return known;
}

function readShape(pattern: string): Shape {
  const head = /^([\s\S]*?)(?::\*| \*)$/.exec(pattern)?.[1] ?? pattern;
  if (head.includes('*')) return { given: null, isOpen: true, isGlob: true };
  const { commands, files, doubts } = readShell(head);
  const [only] = commands;
  const isOne = doubts.length === 0 && files.length === 0 && commands.length === 1 && only?.text === head.trim();
  const isCertain = isOne && only.words.every((word) => word.isCertain);
  return { given: isCertain ? only.words.map(({ value }) => value) : null, isOpen: head !== pattern, isGlob: false };
}

function fitsGlob(pattern: string, words: readonly Word[]): Fit {
  if (words.some(({ isCertain }) => !isCertain)) return NO;
  const glob = pattern.replace(/:\*$/, ' *');
  const text = words.map(({ value }) => value).join(' ');
  // A star at the end also matches no words: `ls *` matches `ls`.
  const isSame = fitsText(glob, text) || (glob.endsWith(' *') && fitsText(glob, `${text} `));
  return isSame ? { is: 'yes', words: 1 } : NO;
}

// `git -C x push` is still a push, and `git $x` may become one.
function isHiddenIn(given: readonly string[], words: readonly Word[]): boolean {
  let found = 0;
  for (const word of words) {
    if (found === given.length) break;
    if (!word.isCertain) return found > 0 || words[0] === word;
    if (word.value === given[found]) found += 1;
    else if (found === 0) return false;
  }
  return found === given.length;
}
