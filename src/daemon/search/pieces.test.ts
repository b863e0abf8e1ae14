import { expect, test } from 'vitest';
import type { Step } from '../../agent/seam/turn.ts';
import { inPieces, PIECE_CHARS_MAX, piecesOf } from './pieces.ts';

const of = (prompt: string, ...steps: Step[]) => piecesOf({ prompt, data: { steps } });

test('prompts, replies and tool calls are found, and nothing else', () => {
  const pieces = of(
    'fix it',
    { is: 'thinking', text: 'hmm' },
    { is: 'text', text: 'I fixed it' },
    { is: 'steering', text: 'also the docs' },
    { is: 'told', text: 'an update' },
    { is: 'note', text: 'interrupted' },
  );
  expect(pieces).toEqual([
    { kind: 'prompt', text: 'fix it' },
    { kind: 'reply', text: 'I fixed it' },
    { kind: 'prompt', text: 'also the docs' },
  ]);
});

test('a tool call has its name, the values of its input and both ends of its result', () => {
  const call = (input: unknown, text: string): Step => ({
    ...{ is: 'call', id: '1', name: 'Bash', input },
    result: { id: '1', text, images: 0, isError: false },
  });
  expect(of('', call({ command: 'npm test' }, 'ok\n'))).toEqual([{ kind: 'tool', text: 'Bash npm test\nok' }]);
  expect(of('', call({ path: '/a', edits: [{ old: 'x', new: 'y' }], n: 3, on: true }, ''))[0]?.text).toBe(
    'Bash\n/a\nx\ny\n3',
  );
  const long = of('', call(null, `begin ${'x'.repeat(9_000)} end`))[0]?.text ?? '';
  expect(long.length).toBeLessThan(4_200);
  expect(long).toMatch(/begin.*\n…\n.*end$/s);
});

test('what Outlast wrote to continue a turn is not a prompt', () => {
  expect(of('You were interrupted before you had finished (this is time 1). Go on.')).toEqual([]);
});

test('a long text is cut at the end of a line, and nothing of it is lost', () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `line ${i}\n`).join('');
  const pieces = inPieces({ kind: 'reply', text: lines });
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.map(({ text }) => text).join('')).toBe(lines);
  expect(pieces.every(({ text }) => text.length <= PIECE_CHARS_MAX && text.endsWith('\n'))).toBe(true);
});

test('a text without blanks is cut between characters', () => {
  const faces = '😀'.repeat(PIECE_CHARS_MAX);
  expect(inPieces({ kind: 'reply', text: `x${faces}` }).every(({ text }) => text.isWellFormed())).toBe(true);
});

test('of a text that is far too long only the beginning is found', () => {
  const pieces = inPieces({ kind: 'reply', text: 'word '.repeat(200_000) });
  expect(pieces.reduce((sum, { text }) => sum + text.length, 0)).toBe(256 * 1024);
});

test('blank texts are left out', () => {
  expect(of(' \n', { is: 'text', text: '' })).toEqual([]);
});
