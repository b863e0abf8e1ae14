import { COMMON, type Completes, type Context, command, type Option, type Options } from './base/command.ts';
import { EXIT } from './base/exit.ts';
import { type Candidate, valuesOf } from './complete-values.ts';
import { commandsOf, findCommand, TABLE } from './table.ts';

/** `outlast __complete`, which the completion scripts call with the words up to the cursor, the last one unfinished. */
export const complete = command({
  name: '__complete',
  summary: 'Complete a command line.',
  usage: '__complete -- [WORD…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, are: '' },
  rest: true,
  options: {},
  examples: [['outlast __complete -- ex', 'Prints exec.']],
  async run(context) {
    const { before, unfinished, joinedChars } = joined(context.words);
    const found = await candidates(before, unfinished, context);
    const fitting = found.filter(({ word }) => word.startsWith(unfinished));
    for (const { word, says } of fitting) await context.print.line(`${word.slice(joinedChars)}\t${says}`);
    return EXIT.fine;
  },
});

interface Typed {
  readonly before: readonly string[];
  readonly unfinished: string;
  /** How much of the unfinished word is a word of its own for the shell: it replaces only the rest. */
  readonly joinedChars: number;
}

/** The words as the program would get them: bash splits them at `=` and `:` as well. */
function joined(words: readonly string[]): Typed {
  const whole: string[] = [];
  let [chars, isOpen] = [0, false];
  for (const word of words) {
    const isBreak = word === '=' || word === ':';
    const last = whole.at(-1) ?? '';
    if (whole.length > 0 && (isBreak || isOpen)) {
      chars = isBreak ? last.length + 1 : last.length;
      whole[whole.length - 1] = last + word;
    } else {
      chars = 0;
      whole.push(word);
    }
    isOpen = isBreak;
  }
  return { before: whole.slice(0, -1), unfinished: whole.at(-1) ?? '', joinedChars: chars };
}

async function candidates(before: readonly string[], unfinished: string, context: Context): Promise<Candidate[]> {
  const [first] = before;
  if (first === undefined) return commandNames();
  const found = findCommand(before);
  if (found === null)
    return commandsOf(first).map((name) => ({ word: name.split(' ')[1] ?? name, says: TABLE[name]?.summary ?? '' }));
  const its = await found.row.load();
  const options: Options = { ...its.options, ...COMMON };
  // Behind the first word of a program, all words are the program's own.
  if (its.rest && positionals(options, found.rest).length > 0) return [];
  const open = openOption(options, found.rest, unfinished);
  if (open !== null) return withPrefix(open.prefix, await valuesFor(open.option.completes, open.value, context));
  if (unfinished.startsWith('-')) return optionNames(options);
  const isMore = positionals(options, found.rest).length > 0 && !/\b(?:S|ID)…/.test(its.usage);
  return isMore ? [] : valuesFor(its.completes, unfinished, context);
}

function valuesFor(what: Completes | undefined, unfinished: string, context: Context): Promise<Candidate[]> {
  if (what === 'command') return Promise.resolve(commandNames());
  return what === undefined ? Promise.resolve([]) : valuesOf(what, unfinished, context);
}

interface OpenOption {
  readonly option: Option;
  /** What is before the value in the unfinished word. */
  readonly prefix: string;
  readonly value: string;
}

/** The option whose value is being typed, as `--name VALUE`, `-n VALUE` or `--name=VALUE`. */
function openOption(options: Options, before: readonly string[], unfinished: string): OpenOption | null {
  const assigned = /^--([\w-]+)=(.*)$/s.exec(unfinished);
  if (assigned !== null) {
    const option = optionOf(options, `--${assigned[1]}`);
    return option === null ? null : { option, prefix: `--${assigned[1]}=`, value: assigned[2] ?? '' };
  }
  const option = before.includes('--') ? null : optionOf(options, before.at(-1) ?? '');
  return option === null || option.optional !== undefined ? null : { option, prefix: '', value: unfinished };
}

/** The option of this word that takes a value; null: it is none. */
function optionOf(options: Options, word: string): Option | null {
  const found = Object.entries(options).find(
    ([name, { short, was }]) => word === `--${name}` || word === `-${short}` || word === `--${was}`,
  );
  return found?.[1].type === 'string' ? found[1] : null;
}

function withPrefix(prefix: string, all: readonly Candidate[]): Candidate[] {
  return all.map(({ word, says }) => ({ word: `${prefix}${word}`, says }));
}

function positionals(options: Options, words: readonly string[]): string[] {
  return words.filter((word, i) => !word.startsWith('-') && optionOf(options, words[i - 1] ?? '') === null);
}

function commandNames(): Candidate[] {
  const first = new Map<string, string>();
  for (const [name, { summary }] of Object.entries(TABLE)) {
    const [word = name, verb] = name.split(' ');
    if (!first.has(word)) first.set(word, verb === undefined ? summary : `${commandsOf(word).length} commands`);
  }
  return [...first].map(([word, says]) => ({ word, says }));
}

function optionNames(options: Options): Candidate[] {
  return Object.entries(options).map(([name, { sentence }]) => ({ word: `--${name}`, says: sentence }));
}
