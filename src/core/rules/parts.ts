import type { FileUse, SimpleCommand } from './reading.ts';
import { readShell } from './shell.ts';
import { literal, type Word } from './word.ts';
import { baseName, insidesOf, isTransparent } from './wrappers.ts';

/** One program that a command line would run. */
export interface Program {
  readonly text: string;
  readonly words: readonly Word[];
  /** It runs something that its words do not determine; `at` is the word where that begins. */
  readonly unknown: { readonly at: number; readonly why: string } | null;
  /** It only runs another command, which is judged as well. */
  readonly isTransparent: boolean;
  /** The programs that run this one, and the word of each where this one begins. */
  readonly enclosing: readonly { readonly program: Program; readonly at: number }[];
}

/** Everything that a command line would do, as far as it can be determined. */
export interface Parts {
  readonly programs: readonly Program[];
  readonly files: readonly FileUse[];
  readonly doubts: readonly string[];
  /** Possible commands in a text that was not understood. They are used for deny rules only. */
  readonly guesses: readonly (readonly Word[])[];
}

interface Collected {
  readonly programs: Program[];
  readonly files: FileUse[];
  readonly doubts: string[];
}

const DEPTH_MAX = 8;
const PROGRAMS_MAX = 500;
const GUESSES_MAX = 2_000;

/** Parses a command line, including the commands inside `sh -c`, `env`, `xargs` and the like. */
export function partsOf(text: string): Parts {
  const collected: Collected = { programs: [], files: [], doubts: [] };
  takeScript(collected, text, [], 0);
  const doubts = [...collected.doubts, ...movesAway(collected)];
  return { ...collected, doubts, guesses: doubts.length > 0 ? guessesOf(text) : [] };
}

function takeScript(to: Collected, text: string, enclosing: Program['enclosing'], depth: number): void {
  if (depth > DEPTH_MAX || to.programs.length > PROGRAMS_MAX) {
    to.doubts.push('commands are nested too deeply');
    return;
  }
  const found = readShell(text);
  to.files.push(...found.files);
  to.doubts.push(...found.doubts);
  for (const command of found.commands) takeCommand(to, command, enclosing, depth);
}

function takeCommand(
  to: Collected,
  { text, words }: SimpleCommand,
  enclosing: Program['enclosing'],
  depth: number,
): void {
  const insides = depth > DEPTH_MAX ? [] : insidesOf(words);
  if (depth > DEPTH_MAX) to.doubts.push('commands are nested too deeply');
  const unknown = insides.find((each) => each.is === 'unknown') ?? null;
  const program: Program = {
    text,
    words,
    unknown,
    isTransparent: isTransparent(words) && insides.length > 0 && unknown === null,
    enclosing,
  };
  to.programs.push(program);
  for (const inside of insides) {
    // The words of the outer command that a rule spells out also count for the inner one.
    const outer = enclosing.map((each) => ({ ...each, at: each.at + inside.at }));
    const next = [...outer, { program, at: inside.at }];
    if (inside.is === 'script') takeScript(to, inside.text, next, depth + 1);
    if (inside.is !== 'command') continue;
    const inner = { text: inside.words.map((word) => word.text).join(' '), words: inside.words };
    takeCommand(to, inner, next, depth + 1);
  }
}

/** After a `cd`, a relative path of a program or file means something else. */
function movesAway({ programs, files }: Collected): string[] {
  const isMove = ({ words }: Program): boolean => /^(cd|chdir|pushd|popd)$/.test(words[0]?.value ?? '');
  if (!programs.some(isMove)) return [];
  const isNear = (path: string): boolean => path.includes('/') && !path.startsWith('/');
  const lost = programs.find(({ words }) => isNear(words[0]?.value ?? ''))?.text;
  const file = files.find(({ path }) => !/^[/~]/.test(path.value))?.text;
  const leaving = programs.filter(isMove).find((program) => !staysInside(program.words));
  const others = programs.some((program) => !isMove(program));
  return [
    ...[lost, file].flatMap((text) => (text === undefined ? [] : [`which file ${text} is after the cd`])),
    ...(leaving !== undefined && others ? [`which files the commands use after ${leaving.text}`] : []),
  ];
}

function staysInside(words: readonly Word[]): boolean {
  const [, folder] = words;
  if (words.length !== 2 || !folder?.isCertain) return false;
  return !/^[/~-]/.test(folder.value) && !folder.value.split('/').includes('..');
}

function guessesOf(text: string): (readonly Word[])[] {
  const pieces = text.replaceAll(/\\\n/g, ' ').split(/[;&|\n(){}`<>]+/, GUESSES_MAX);
  const keyword = /^(?:if|then|elif|else|while|until|do|time|!|\w+=.*)$/;
  return pieces.flatMap((piece) => {
    const words = piece
      .replaceAll(/["'\\]/g, '')
      .split(/\s+/)
      .filter((word) => word !== '');
    while (keyword.test(words[0] ?? '')) words.shift();
    return words.length === 0 ? [] : [[literal(baseName(words[0] ?? '')), ...words.slice(1).map(literal)]];
  });
}
