import { expect, test } from 'vitest';
import { expressionOf, indexedText, termsOf, wordsIn } from './query.ts';

const expression = (query: string): string => expressionOf(termsOf(query));

test.each([
  ['words apart', 'retry backoff', '"retry" AND "backoff"'],
  ['a phrase', '"connection refused" port', '"connection refused" AND "port"'],
  ['a path', 'src/net/retry.ts', '"src net retry ts"'],
  ['dots and dashes', 'foo.bar-baz', '"foo bar baz"'],
  ['an option', '--max-old-space-size=512', '"max old space size 512"'],
  ['a name with an underscore', 'max_page_count', '"max page count"'],
  ['the beginning of a word', 'migrat*', '"migrat"*'],
  ['the beginning of the last word of a path', 'src/net/re*', '"src net re"*'],
  ['the beginning of the last word of a phrase', '"connection ref"*', '"connection ref"*'],
  ['a star that is part of a pattern', '*.test.ts', '"test ts"'],
  ['capitals and accents', 'Überprüfung CAFÉ', '"uberprufung" AND "cafe"'],
  ['a script without spaces', '重试机制', '"重 试 机 制"'],
  ['two scripts in one word', 'v2版本', '"v2 版 本"'],
  ['a quote that is not closed', '"connection refused', '"connection refused"'],
  ['the words of SQLite', 'a AND NOT b OR NEAR', '"a" AND "and" AND "not" AND "b" AND "or" AND "near"'],
  ['signs of SQLite', 'text:foo ^bar {x} (y)', '"text foo" AND "bar" AND "x" AND "y"'],
  ['signs beside words', '-> foo == ;', '"foo"'],
])('%s', (_, query, wanted) => {
  expect(expression(query)).toBe(wanted);
});

test.each(['', '   ', '-> == ()', '""', '*'])('a query without a letter or a digit is refused: "%s"', (query) => {
  expect(() => termsOf(query)).toThrow(/name at least one word|no letter/);
});

test('a query of very many words is refused', () => {
  expect(() => termsOf('a '.repeat(40))).toThrow('at most 32 words');
});

test('each character of a script without spaces is a word, where it is', () => {
  expect(wordsIn('see 重试 now')).toEqual([
    { word: 'see', from: 0, to: 3 },
    { word: '重', from: 4, to: 5 },
    { word: '试', from: 5, to: 6 },
    { word: 'now', from: 7, to: 10 },
  ]);
  expect(indexedText('a重试')).toBe('a 重  试 ');
});
