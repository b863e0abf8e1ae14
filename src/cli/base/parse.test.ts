import { expect, test } from 'vitest';
import { exec } from '../commands/exec.ts';
import { command, INLINE } from './command.ts';
import { parseWords } from './parse.ts';

const plain = command({
  name: 'try',
  summary: 's',
  usage: 'try S',
  words: { min: 0, max: 2, are: '' },
  options: {
    name: { type: 'string', value: 'NAME', sentence: 's' },
    many: { type: 'string', short: 'm', multiple: true, sentence: 's' },
    yes: { type: 'boolean', short: 'y', sentence: 's' },
  },
  examples: [],
  run: async () => 0,
});

test('options and arguments may be mixed, and options that are not given have their empty value', () => {
  expect(parseWords(plain, ['a', '--name=x', '-y', 'b', '-m', '1', '--many', '2'])).toEqual({
    values: { name: 'x', many: ['1', '2'], yes: true, json: false, help: false },
    words: ['a', 'b'],
    behind: [],
  });
  expect(parseWords(plain, []).values).toEqual({ name: undefined, many: [], yes: false, json: false, help: false });
});

test('after two dashes everything is an argument', () => {
  expect(parseWords(plain, ['--', '--name', '-y']).words).toEqual(['--name', '-y']);
  expect(parseWords(plain, ['a', '--', 'b'])).toMatchObject({ words: ['a', 'b'], behind: ['b'] });
});

test('a negative number is an argument, except where the arguments are a command to run', () => {
  expect(parseWords(plain, ['a', '-12', '-y'])).toMatchObject({ words: ['a', '-12'], values: { yes: true } });
  expect(() => parseWords(exec, ['-1', 'ls'])).toThrow('unknown option -1');
});

test('the options of exec end where its command begins', () => {
  for (const words of [
    ['--pty', 'ls', '-la', '--json'],
    ['--pty', '--', 'ls', '-la', '--json'],
  ]) {
    const parsed = parseWords(exec, words);
    expect(parsed.words).toEqual(['ls', '-la', '--json']);
    expect(parsed.values).toMatchObject({ pty: true, json: false });
  }
  expect(parseWords(exec, ['--name', 'x', 'sh', '--', 'y']).words).toEqual(['sh', '--', 'y']);
});

test.each([
  [['--nmae', 'x'], 'try: unknown option --nmae; did you mean --name?'],
  [['--zzzzzz'], 'try: unknown option --zzzzzz; see `outlast try --help`'],
  [['-z'], 'try: unknown option -z; see `outlast try --help`'],
  [['--constructor'], 'try: unknown option --constructor; see `outlast try --help`'],
  [['--name'], 'try: --name needs a value: --name NAME'],
  [['--name', '--yes'], 'try: --name needs a value, found --yes; if that is the value, write --name=--yes'],
  [['--yes=1'], 'try: --yes takes no value, found "1"'],
  [['a', 'b', 'c'], 'try: unexpected argument "c". Usage: outlast try S'],
])('%j is refused with a helpful message', (words, message) => {
  expect(() => parseWords(plain, words)).toThrow(message);
});

test('an optional value is given after =, so that the next word stays an argument', () => {
  const branch = { type: 'string', value: 'BRANCH', optional: INLINE, sentence: 's' } as const;
  const own = command({ ...plain, options: { branch }, run: async () => 0 });
  const parsed = (...words: string[]) => {
    const { values, words: rest } = parseWords(own, words);
    return [values.branch, rest];
  };
  expect(parsed('a')).toEqual([undefined, ['a']]);
  expect(parsed('--branch', 'fix it')).toEqual(['', ['fix it']]);
  expect(parsed('--branch=main', 'fix it')).toEqual(['main', ['fix it']]);
});
