import { expect, test } from 'vitest';
import { cliLive } from './live.ts';

const { read } = cliLive({ start: ['x'], ready: '^> (.*)$', dialog: '\\(Y\\)es/\\(N\\)o' });
const careful = cliLive({ start: ['x'], ready: '^> (.*)$', busy: '^Working' }).read;
const shown = (rows: readonly string[], row = rows.length - 1) => ({ rows, title: null, cursor: { row, column: 2 } });
const FULL = 'x'.repeat(80);

test.each([
  ['an empty line', ['banner', '>'], { is: 'ready', draft: null }],
  ['a draft', ['banner', '> hello there'], { is: 'ready', draft: 'hello there' }],
  ['a draft of two rows', [FULL, `> ${'y'.repeat(78)}`, 'z'], { is: 'ready', draft: `${'y'.repeat(78)}z` }],
  ['an earlier prompt, and work below it', ['> hello', 'thinking', ''], { is: 'busy', draft: null }],
  ['a question', ['> hello', 'Add it? (Y)es/(N)o'], { is: 'dialog', why: { text: 'it asks: Add it? (Y)es/(N)o' } }],
  ['nothing', ['', ''], { is: 'unknown' }],
])('%s', (_, rows, expected) => {
  expect(read(shown(rows))).toMatchObject(expected);
});

test('with an expression for work, anything else is unknown', () => {
  expect(careful(shown(['> hello', 'Working on it', '']))).toEqual({ is: 'busy', draft: null });
  expect(careful(shown(['> hello', 'something else', '']))).toEqual({ is: 'unknown' });
  expect(careful(shown(['> ']))).toEqual({ is: 'ready', draft: null });
});
