import { expect, test } from 'vitest';
import { exactTarget } from './tmux-foreign.ts';

test('a name becomes a target that matches nothing but this name', () => {
  expect(exactTarget('work')).toBe('=work:');
  expect(exactTarget('two words')).toBe('=two words:');
  expect(exactTarget('work:2.1')).toBe('=work:=2.1');
  expect(exactTarget('=work:=2.1')).toBe('=work:=2.1');
  expect(exactTarget('{last}')).toBe('={last}:');
});

test('ids stay what they are, alone and inside a target', () => {
  expect(['%5', '@2', '$3'].map(exactTarget)).toEqual(['%5', '@2', '$3']);
  expect(exactTarget('work:@4')).toBe('=work:@4');
  expect(exactTarget('$3:1')).toBe('$3:=1');
});

test('a target without a name is refused', () => {
  for (const word of ['', ':1', 'a:b:c', 'a\nb', 'a\0b']) expect(() => exactTarget(word)).toThrow(/names no tmux pane/);
});
