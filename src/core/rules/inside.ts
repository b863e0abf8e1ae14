import type { Word } from './word.ts';

/** The command that a program would run for us. `at` is the word of the outer command where the inner one begins. */
export type Inside =
  | { readonly is: 'command'; readonly at: number; readonly words: readonly Word[] }
  | { readonly is: 'script'; readonly at: number; readonly text: string }
  | { readonly is: 'unknown'; readonly at: number; readonly why: string };

/** The command that begins at a word; its name must be as certain as at the start of a line. */
export function innerCommand(words: readonly Word[], at: number): Inside {
  const inner = words.slice(at);
  const [name] = inner;
  if (name === undefined || !name.isCertain || !name.isPlain || !/^[\w./+@-]+$/.test(name.value)) {
    return { is: 'unknown', at, why: `which program ${name?.text ?? ''} is` };
  }
  // After `time`, a shell still recognizes its reserved words.
  if (/^(?:if|for|while|until|case|select|function|coproc|foreach|repeat|nocorrect|noglob|-)$/.test(name.value)) {
    return { is: 'unknown', at, why: `${name.value} is a reserved word of the shell` };
  }
  return { is: 'command', at, words: inner };
}
