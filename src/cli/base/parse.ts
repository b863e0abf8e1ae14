import { closest } from '../../base/closest.ts';
import { OutlastError } from '../../client/index.ts';
import { COMMON, type Command, type Option, type Options } from './command.ts';

/** A parsed command line. */
export interface Parsed {
  readonly values: Record<string, string | boolean | string[] | undefined>;
  readonly words: string[];
  /** Those of the words that are behind `--`. */
  readonly behind: readonly string[];
}

type Token = {
  kind: string;
  index: number;
  name?: string;
  rawName?: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
};

/** Parses the words after the name of a command. A mistake is reported with the closest valid option. */
export function parseWords(command: Command, words: readonly string[]): Parsed {
  const options: Options = { ...command.options, ...COMMON };
  const all = tokensOf(options, withEmptyValues(options, words));
  const tokens = command.rest ? all : withNumbers(all, words);
  const end = command.rest ? firstWord(tokens, words.length) : words.length;
  const terminator = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? words.length;
  const parsed: Parsed = { values: emptyValues(options), words: [], behind: words.slice(terminator + 1) };
  for (const token of tokens.filter((each) => each.index < end).map((each) => withItsName(options, each))) {
    if (token.kind === 'positional') parsed.words.push(token.value ?? '');
    if (token.kind === 'option') setValue(command, options, parsed, token);
  }
  const rest = words.slice(end);
  parsed.words.push(...(command.rest && rest[0] === '--' ? rest.slice(1) : rest));
  if (!parsed.values.help) checkCount(command, parsed.words);
  return parsed;
}

/** A mistake in the call, for the person who made it. */
export function wrongCall(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}

// Keeps the number of words: tokens are looked up by their place.
function withEmptyValues(options: Options, words: readonly string[]): string[] {
  const end = [...words, '--'].indexOf('--');
  return words.map((word, at) => {
    const name = word.startsWith('--') && at < end ? word.slice(2) : '';
    const { optional } = (Object.hasOwn(options, name) ? options[name] : undefined) ?? {};
    return optional === undefined || optional.test(words[at + 1] ?? '') ? word : `${word}=`;
  });
}

function tokensOf(options: Options, words: readonly string[]): Token[] {
  const { parseArgs } = process.getBuiltinModule('node:util');
  const config = Object.fromEntries(
    Object.entries(options).flatMap(([name, { type, short, was }]) => [
      [name, short ? { type, short } : { type }],
      ...(was === undefined ? [] : [[was, { type }]]),
    ]),
  );
  return parseArgs({ args: [...words], options: config, strict: false, allowPositionals: true, tokens: true })
    .tokens as Token[];
}

/** An option by its present name, also where it was given by its earlier one. */
function withItsName(options: Options, token: Token): Token {
  if (token.kind !== 'option' || Object.hasOwn(options, token.name ?? '')) return token;
  const found = Object.entries(options).find(([, { was }]) => was !== undefined && was === token.name);
  return found === undefined ? token : { ...token, name: found[0] };
}

// -12 is a number, not two unknown options: the parser gives a token per digit.
function withNumbers(tokens: readonly Token[], words: readonly string[]): Token[] {
  const isNumber = ({ kind, index }: Token): boolean => kind === 'option' && /^-\d+$/.test(words[index] ?? '');
  return tokens.flatMap((token, at): Token[] => {
    if (!isNumber(token)) return [token];
    const isFirst = tokens[at - 1]?.index !== token.index;
    return isFirst ? [{ kind: 'positional', index: token.index, value: words[token.index] }] : [];
  });
}

function firstWord(tokens: readonly Token[], otherwise: number): number {
  return tokens.find((token) => token.kind !== 'option')?.index ?? otherwise;
}

/** The values when no option is given. */
export function emptyValues(options: Options): Parsed['values'] {
  const empty = (option: Option) => (option.type === 'boolean' ? false : option.multiple ? [] : undefined);
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, empty(option)]));
}

function setValue(command: Command, options: Options, parsed: Parsed, token: Token): void {
  const { name = '', rawName = '', value } = token;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw unknownOption(command, options, rawName);
  if (option.type === 'boolean') {
    if (value !== undefined) throw wrongCall(`${command.name}: ${rawName} takes no value, found "${value}"`);
    parsed.values[name] = true;
    return;
  }
  if (value === undefined)
    throw wrongCall(`${command.name}: ${rawName} needs a value: ${rawName} ${option.value ?? 'VALUE'}`);
  if (!token.inlineValue && isOption(options, value)) {
    throw wrongCall(
      `${command.name}: ${rawName} needs a value, found ${value}; if that is the value, write ${rawName}=${value}`,
    );
  }
  const before = parsed.values[name];
  if (typeof before === 'string' && before !== value)
    throw wrongCall(`${command.name}: --${name} is given twice, as "${before}" and "${value}"; leave one out`);
  parsed.values[name] = Array.isArray(before) ? [...before, value] : value;
}

function isOption(options: Options, word: string): boolean {
  const shorts = Object.values(options).map((option) => `-${option.short}`);
  const olds = Object.values(options).map(({ was }) => `--${was}`);
  return (word.startsWith('--') && Object.hasOwn(options, word.slice(2))) || [...shorts, ...olds].includes(word);
}

function unknownOption(command: Command, options: Options, rawName: string): OutlastError {
  const near = closest(rawName.replace(/^-+/, ''), Object.keys(options));
  const hint = near === null ? `see \`outlast ${command.name} --help\`` : `did you mean --${near}?`;
  return wrongCall(`${command.name}: unknown option ${rawName}; ${hint}`);
}

function checkCount(command: Command, words: readonly string[]): void {
  const { min, max } = command.words;
  if (words.length < min) throw wrongCall(`${command.name}: missing argument. Usage: outlast ${command.usage}`);
  if (words.length > max)
    throw wrongCall(`${command.name}: unexpected argument "${words[max]}". Usage: outlast ${command.usage}`);
}
