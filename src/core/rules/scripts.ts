import { type Inside, innerCommand } from './inside.ts';
import { unknownWord, type Word } from './word.ts';

const SHELL_FLAGS = /^(?:-[aefhlmnuvx]+|--(?:login|noprofile|norc|posix))$/;
const SHELL_COMMAND = /^-[aefhlmnuvx]*c$/;

/** What a shell would run: the text after `-c`. The contents of a script file or of its input are not known here. */
export function shellInside(words: readonly Word[]): Inside {
  let at = 1;
  while (words[at]?.isCertain && SHELL_FLAGS.test(words[at]?.value ?? '')) at += 1;
  const [option, script] = words.slice(at);
  if (!option?.isCertain || !SHELL_COMMAND.test(option.value)) {
    return { is: 'unknown', at, why: 'a shell runs a file or its standard input' };
  }
  if (!script?.isCertain || /^[-+]/.test(script.value)) return { is: 'unknown', at: at + 1, why: 'which script it is' };
  return { is: 'script', at: at + 1, text: script.value };
}

/** The text that eval and trap run. */
export function scriptInside(name: string, words: readonly Word[]): readonly Inside[] {
  const given = name === 'trap' ? words.slice(1, 2) : words.slice(1);
  const at = given.length;
  if (given.length === 0) return [];
  if (given.some(({ isCertain, value }) => !isCertain || value.startsWith('-'))) {
    return [{ is: 'unknown', at, why: `what ${name} runs` }];
  }
  return [{ is: 'script', at, text: given.map(({ value }) => value).join(' ') }];
}

const XARGS_FLAGS = /^(?:-[0rtx]+|-[nPLsd].+|--(?:null|no-run-if-empty|verbose|exit|(?:max-\w+|delimiter)=.+))$/;
const XARGS_VALUES = /^-[nPLsd]$/;

/** What xargs runs. The arguments that it reads from its input are unknown. */
export function xargsInside(words: readonly Word[]): Inside {
  let placeholder: string | null = null;
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (!word?.isCertain) return { is: 'unknown', at, why: 'xargs: which program it runs' };
    const { value } = word;
    if (XARGS_VALUES.test(value)) at += 1;
    else if (value === '-I') {
      at += 1;
      placeholder = words[at]?.value ?? '';
    } else if (/^-I./.test(value)) placeholder = value.slice(2);
    else if (value.startsWith('-') && !XARGS_FLAGS.test(value)) {
      return { is: 'unknown', at, why: `xargs: the option ${value}` };
    } else if (!value.startsWith('-')) break;
  }
  if (words[at - 1]?.isCertain === false || placeholder === '') return { is: 'unknown', at, why: 'xargs: its options' };
  const inner = at < words.length ? words.slice(at).map((word) => filled(word, placeholder)) : [echo()];
  return innerCommand([...words.slice(0, at), ...inner, unknownWord('…')], at);
}

const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const CHANGES = new Set(['-delete', '-fprint', '-fprint0', '-fprintf', '-fls', '-files0-from']);

/** What find runs for each file. */
export function findInsides(words: readonly Word[]): readonly Inside[] {
  const insides: Inside[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    if (!word?.isCertain) return [...insides, { is: 'unknown', at, why: 'find: what it does' }];
    if (CHANGES.has(word.value)) insides.push({ is: 'unknown', at, why: `find: ${word.value} changes files` });
    if (!RUNS.has(word.value)) continue;
    const end = endOfExec(words, at + 1);
    if (end === -1) return [...insides, { is: 'unknown', at: at + 1, why: 'find: a command without its end' }];
    const inner = words.slice(at + 1, end).map((each) => filled(each, '{}'));
    insides.push(innerCommand([...words.slice(0, at + 1), ...inner], at + 1));
    at = end;
  }
  return insides;
}

function endOfExec(words: readonly Word[], from: number): number {
  return words.findIndex(
    ({ value, isCertain }, i) =>
      i >= from && isCertain && (value === ';' || (value === '+' && words[i - 1]?.value === '{}')),
  );
}

/** A word that xargs inserts its input into becomes unknown. */
function filled(word: Word, placeholder: string | null): Word {
  return placeholder !== null && word.value.includes(placeholder) ? unknownWord(word.text) : word;
}

function echo(): Word {
  return { text: 'echo', value: 'echo', isCertain: true, isPlain: true };
}
