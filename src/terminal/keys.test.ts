import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutlastError } from '../base/errors.ts';
import { decodeHex, encodeKeys, type KeyModes, keyNames } from './keys.ts';

const NORMAL = { applicationCursor: false };
const APPLICATION = { applicationCursor: true, applicationKeypad: true };

/** What each token sends; the second is for application cursor mode where it differs. */
const SENT: Record<string, string | readonly [string, string]> = {
  Enter: '\r',
  return: '\r',
  TAB: '\t',
  Escape: '\x1b',
  Esc: '\x1b',
  Space: ' ',
  ' ': ' ',
  BSpace: '\x7f',
  Backspace: '\x7f',
  Up: ['\x1b[A', '\x1bOA'],
  Down: ['\x1b[B', '\x1bOB'],
  Right: ['\x1b[C', '\x1bOC'],
  Left: ['\x1b[D', '\x1bOD'],
  Home: ['\x1b[H', '\x1bOH'],
  End: ['\x1b[F', '\x1bOF'],
  PageUp: '\x1b[5~',
  PgUp: '\x1b[5~',
  PPage: '\x1b[5~',
  PageDown: '\x1b[6~',
  PgDn: '\x1b[6~',
  NPage: '\x1b[6~',
  Insert: '\x1b[2~',
  IC: '\x1b[2~',
  Delete: '\x1b[3~',
  Del: '\x1b[3~',
  DC: '\x1b[3~',
  BTab: '\x1b[Z',
  F1: '\x1bOP',
  F2: '\x1bOQ',
  F3: '\x1bOR',
  F4: '\x1bOS',
  F5: '\x1b[15~',
  F6: '\x1b[17~',
  F7: '\x1b[18~',
  F8: '\x1b[19~',
  F9: '\x1b[20~',
  F10: '\x1b[21~',
  F11: '\x1b[23~',
  F12: '\x1b[24~',
  F13: '\x1b[1;2P',
  F14: '\x1b[1;2Q',
  F15: '\x1b[1;2R',
  F16: '\x1b[1;2S',
  F17: '\x1b[15;2~',
  F18: '\x1b[17;2~',
  F19: '\x1b[18;2~',
  F20: '\x1b[19;2~',
  'KP/': ['/', '\x1bOo'],
  'KP*': ['*', '\x1bOj'],
  'KP-': ['-', '\x1bOm'],
  'KP+': ['+', '\x1bOk'],
  KP0: ['0', '\x1bOp'],
  KP1: ['1', '\x1bOq'],
  KP2: ['2', '\x1bOr'],
  KP3: ['3', '\x1bOs'],
  KP4: ['4', '\x1bOt'],
  KP5: ['5', '\x1bOu'],
  KP6: ['6', '\x1bOv'],
  KP7: ['7', '\x1bOw'],
  KP8: ['8', '\x1bOx'],
  KP9: ['9', '\x1bOy'],
  'KP.': ['.', '\x1bOn'],
  KPEnter: ['\r', '\x1bOM'],
  'C-c': '\x03',
  'c-C': '\x03',
  '^C': '\x03',
  '^c': '\x03',
  '^?': '\x7f',
  '^^': '\x1e',
  '^': '^',
  'C-d': '\x04',
  'C-[': '\x1b',
  'C-\\': '\x1c',
  'C-]': '\x1d',
  'C-^': '\x1e',
  'C-_': '\x1f',
  'C-@': '\0',
  'C-?': '\x7f',
  'C-Space': '\0',
  'C-M-Space': '\x1b\0',
  'M-x': '\x1bx',
  'M-X': '\x1bX',
  'M--': '\x1b-',
  'M-é': '\x1bé',
  'C-M-x': '\x1b\x18',
  'C-S-c': '\x03',
  'S-a': 'A',
  'S-1': '1',
  'S-ß': 'ß',
  'M-Enter': '\x1b\r',
  'C-Enter': '\r',
  'S-Enter': '\r',
  'S-Tab': '\x1b[Z',
  'C-S-Tab': '\x1b[Z',
  'C-Tab': '\t',
  'M-BSpace': '\x1b\x7f',
  'C-BSpace': '\x7f',
  'S-Up': '\x1b[1;2A',
  'M-Up': '\x1b[1;3A',
  'S-M-Up': '\x1b[1;4A',
  'C-Up': '\x1b[1;5A',
  'C-S-Up': '\x1b[1;6A',
  'C-M-Up': '\x1b[1;7A',
  'C-M-S-Up': '\x1b[1;8A',
  'C-C-Up': '\x1b[1;5A',
  'C-Home': '\x1b[1;5H',
  'C-End': '\x1b[1;5F',
  'C-PageUp': '\x1b[5;5~',
  'C-Delete': '\x1b[3;5~',
  'S-Insert': '\x1b[2;2~',
  'C-F1': '\x1b[1;5P',
  'M-F1': '\x1b[1;3P',
  'S-F5': '\x1b[15;2~',
  'C-F12': '\x1b[24;5~',
  x: 'x',
  é: 'é',
  'e\u0301': 'e\u0301',
  '🙂': '🙂',
  '👩‍💻': '👩‍💻',
  '\n': '\n',
  '0x1b': '\x1b',
  '0X41': 'A',
  '': '',
};

describe('a key sends what an xterm sends', () => {
  for (const [token, sent] of Object.entries(SENT)) {
    const [normal, application] = typeof sent === 'string' ? [sent, sent] : sent;
    test(`${JSON.stringify(token)} sends ${JSON.stringify(normal)}`, () => {
      expect(text([token])).toBe(normal);
      expect(text([token], APPLICATION)).toBe(application);
    });
  }
});

test('every key name is in this table, so that no key goes untested', () => {
  const tested = new Set(Object.keys(SENT).map((token) => token.toLowerCase()));
  expect(keyNames().filter((name) => !tested.has(name.toLowerCase()))).toEqual([]);
});

test('a byte given in hex goes out as one byte, also above 0x7f', () => {
  expect([...encodeKeys(['0xff', '0x80', 'a'], NORMAL)]).toEqual([0xff, 0x80, 0x61]);
});

const misspelt = ['hello', 'Enter ', ' Enter', 'C-', 'C-M-', 'C-foo', '^CC', '0x1', '0x1bb', 'M-0x1b', 'F0', 'F21'];
const withoutCode = ['C-1', 'C--', 'C-é', '^1', '\r\n', '\ud800', 'ſ-a'];
for (const token of [...misspelt, ...withoutCode]) {
  test(`${JSON.stringify(token)} is refused with its name and the way to send text`, () => {
    const error = thrownBy(() => encodeKeys(['a', token], NORMAL));
    expect(error.code).toBe('input_invalid');
    expect(error.message).toContain(JSON.stringify(token));
    expect(error.message).toContain('to send it as text use write');
  });
}

test('a very long token is refused with a short message', () => {
  expect(thrownBy(() => encodeKeys(['x'.repeat(100_000)], NORMAL)).message.length).toBeLessThan(400);
});

const name = fc.constantFrom(...keyNames());
const modifiers = fc.shuffledSubarray(['C-', 'M-', 'S-']);

test('letter case and the order of modifiers make no difference, for any key', () => {
  fc.assert(
    fc.property(name, modifiers, fc.boolean(), (key, some, applicationCursor) => {
      const modes = { applicationCursor };
      const one = text([some.join('') + key], modes);
      expect(text([some.toReversed().join('').toLowerCase() + key.toUpperCase()], modes)).toBe(one);
      expect(one.length).toBeGreaterThan(0);
    }),
  );
});

test('any key with any modifiers is one sequence that a terminal could send', () => {
  const sequence = /^\x1b?(?:[\0-\x7f]|\x1bO[A-Za-z]|\x1b\[(?:1;[2-8])?[A-HP-SZ]|\x1b\[\d+(?:;[2-8])?~)$/;
  fc.assert(
    fc.property(name, modifiers, (key, some) => {
      expect(text([some.join('') + key])).toMatch(sequence);
    }),
  );
});

test('application cursor mode changes only unmodified arrows, Home and End', () => {
  fc.assert(
    fc.property(name, modifiers, (key, some) => {
      const application = { applicationCursor: true };
      const differs = text([some.join('') + key]) !== text([some.join('') + key], application);
      expect(differs).toBe(some.length === 0 && /^(up|down|left|right|home|end)$/i.test(key));
    }),
  );
});

test('keys in a row send what they send one by one, and any character is itself', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(name, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }))), (keys) => {
      expect(text(keys)).toBe(keys.map((key) => text([key])).join(''));
      for (const key of keys) if (!keyNames().includes(key)) expect(text([key])).toBe(key);
    }),
  );
});

test('hex words are bytes: one or two digits, with or without 0x, or many pairs in a word', () => {
  expect([...decodeHex(['1b', '0x5B', 'a', '0xff', '1b5b41', '0x0d0A'])]).toEqual([
    0x1b, 0x5b, 0x0a, 0xff, 0x1b, 0x5b, 0x41, 0x0d, 0x0a,
  ]);
  expect([...decodeHex([])]).toEqual([]);
});

for (const word of ['', '0x', 'g1', '1b5', '1b 5b', ' 1b', '-1', '0x0x1b', '1b\n']) {
  test(`the hex word ${JSON.stringify(word)} is refused with its name`, () => {
    const error = thrownBy(() => decodeHex(['41', word]));
    expect(error.code).toBe('input_invalid');
    expect(error.message).toContain(JSON.stringify(word));
  });
}

function text(keys: readonly string[], modes: KeyModes = NORMAL): string {
  return Buffer.from(encodeKeys(keys, modes)).toString();
}

function thrownBy(work: () => unknown): OutlastError {
  try {
    work();
  } catch (error) {
    if (error instanceof OutlastError) return error;
  }
  throw new Error('no OutlastError was thrown');
}
