import { expect, test } from 'vitest';
import { termsOf } from './query.ts';
import { snippetOf } from './snippet.ts';

/** The snippet with its marks in brackets. */
function shown(text: string, query: string, charsMax = 60): string {
  const snippet = snippetOf(text, termsOf(query), charsMax);
  const marked = snippet.marks.toReversed().reduce((all, { from, to }) => {
    return `${all.slice(0, from)}[${all.slice(from, to)}]${all.slice(to)}`;
  }, snippet.text);
  return `${snippet.cut.before ? '…' : ''}${marked}${snippet.cut.after ? '…' : ''}`;
}

test.each([
  ['a word', 'please fix the retry', 'retry', 'please fix the [retry]'],
  ['every word', 'fix the retry in the net', 'net fix', '[fix] the retry in the [net]'],
  ['a phrase as one', 'connection refused, refused', '"connection refused"', '[connection refused], refused'],
  ['a path', 'look at src/net/retry.ts now', 'src/net/retry.ts', 'look at [src/net/retry.ts] now'],
  ['what begins so', 'Migrating the migrations', 'migrat*', '[Migrating] the [migrations]'],
  ['whatever its case and accents', 'das Café', 'CAFE', 'das [Café]'],
  ['characters', '我们的重试机制', '重试', '我们的[重试]机制'],
])('%s is marked', (_, text, query, wanted) => {
  expect(shown(text, query)).toBe(wanted);
});

test('of a long text the part with the most different words is shown', () => {
  const text = `alpha ${'x '.repeat(100)}alpha and beta ${'y '.repeat(100)}`;
  expect(shown(text, 'alpha beta')).toMatch(/^….*\[alpha\] and \[beta\] y.*…$/);
});

test('a cut is between words, and never within a character', () => {
  const text = `${'word '.repeat(50)}needle${' more'.repeat(50)}`;
  expect(shown(text, 'needle')).toMatch(/^…word.*\[needle\] .*more…$/);
  const faces = '😀'.repeat(100);
  const { text: cut } = snippetOf(`${faces} needle ${faces}`, termsOf('needle'), 61);
  expect(cut.isWellFormed()).toBe(true);
});

test('a text without a match is shown from its beginning', () => {
  expect(shown('one two three four', 'zero', 9)).toBe('one two…');
});
