import { expect, test } from 'vitest';
import { turnText } from './turn-text.ts';
import type { Call, Turn } from './turns.ts';

function turnWith(result: Call['result']): Turn {
  const call: Call = { is: 'call', id: 't', name: 'Bash', input: { command: 'seq 7' }, result };
  return { prompt: 'count', images: 0, steps: [call] };
}

const seven = { id: 't', text: '1\n2\n3\n4\n5\n6\n7\n', images: 0, isError: false };

test('a result is cut to five lines and says how many are missing', () => {
  const text = turnText(turnWith(seven));
  expect(text).toContain('```\n1\n2\n3\n4\n5\n```\n\n*2 more lines*');
});

test('in full, every line of a result is there', () => {
  const text = turnText(turnWith(seven), true);
  expect(text).toContain('```\n1\n2\n3\n4\n5\n6\n7\n```');
  expect(text).not.toContain('more line');
});

test('a result with fences of its own cannot break out of its block', () => {
  const text = turnText(turnWith({ ...seven, text: '````\nescaped\n```' }));
  expect(text).toContain('`````\n````\nescaped\n```\n`````');
});

test('a call without a result says so', () => {
  expect(turnText(turnWith(null))).toContain('*no result recorded*');
  expect(turnText(turnWith({ ...seven, text: '' }))).toContain('*no output*');
});

test('every line of a thought is quoted', () => {
  const text = turnText({ prompt: 'x', images: 0, steps: [{ is: 'thinking', text: 'a\n\nb' }] });
  expect(text).toContain('> a\n>\n> b');
});
