import { expect, test } from 'vitest';
import { edited } from './edit.ts';
import { decodeKeys, flushedKeys, type Key } from './key.ts';

/** Keys as words: <up>, and text as it is. */
const words = (keys: readonly Key[]): string =>
  keys.map((key) => (key.is === 'key' ? `<${key.name}>` : key.is === 'paste' ? `[${key.text}]` : key.text)).join('');

test.each([
  ['jjl', 'jjl'],
  ['\x1b[A\x1b[A\x1bOB', '<up><up><down>'],
  ['\x1b[5~\x1b[6~\x1b[1~\x1b[F', '<page up><page down><home><end>'],
  ['a\r\x7f\t\x03\x1a', 'a<enter><backspace><tab><ctrl-c><ctrl-z>'],
  ['測試', '測試'],
  // Modified arrows, function keys and Alt mean nothing here, and none of their letters does.
  ['\x1b[1;5A\x1b[15~\x1bs', '<unknown><unknown><unknown>'],
  ['\x1b[200~rm -rf\r\nq\x1b[201~x', '[rm -rf\nq]x'],
])('%j is read as %s', (text, keys) => {
  expect(words(decodeKeys(text).keys)).toBe(keys);
});

test('wherever a slow line cuts what is typed, the keys are the same', () => {
  const text = 'a\x1b[A\x1b[200~p\x1b[Aq\x1b[201~\x1bOBz';
  const whole = words(decodeKeys(text).keys);
  expect(whole).toBe('a<up>[p\x1b[Aq]<down>z');
  for (let at = 1; at < text.length; at += 1) {
    const first = decodeKeys(text.slice(0, at));
    const second = decodeKeys(first.rest + text.slice(at));
    expect(words([...first.keys, ...second.keys])).toBe(whole);
    expect(second.rest).toBe('');
  }
});

test('Escape is Escape when nothing follows it, and an unfinished paste is kept', () => {
  const { keys, rest } = decodeKeys('x\x1b');
  expect([words(keys), words(flushedKeys(rest))]).toEqual(['x', '<escape>']);
  expect(words(flushedKeys(decodeKeys('\x1b[1').rest))).toBe('<unknown>');
  expect(flushedKeys(decodeKeys('\x1b[200~half').rest)).toEqual([]);
});

test('a line is edited as in a shell, by whole characters', () => {
  const typed = (text: string, keys: string): string => {
    const { text: all, cursor } = decodeKeys(keys).keys.reduce(edited, { text, cursor: text.length });
    return `${all.slice(0, cursor)}|${all.slice(cursor)}`;
  };
  expect(typed('', 'fix it')).toBe('fix it|');
  expect(typed('a👩‍👩‍👧', '\x7f')).toBe('a|');
  expect(typed('測試', '\x1b[D!')).toBe('測!|試');
  expect(typed('one two', '\x17')).toBe('one |');
  expect(typed('one two', '\x01\x1b[3~\x05.')).toBe('ne two.|');
  expect(typed('one', '\x02\x0b')).toBe('on|');
  expect(typed('one', '\x15')).toBe('|');
});
