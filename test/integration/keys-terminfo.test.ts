import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { encodeKeys } from '../../src/terminal/keys.ts';

/** Terminal types that Outlast gives to programs, and that people use. */
const TERMS = [
  'xterm-256color',
  'xterm',
  'tmux-256color',
  'tmux',
  'screen-256color',
  'screen',
  'linux',
  'rxvt',
  'rxvt-256color',
  'rxvt-unicode-256color',
];

/** The terminfo capability of each key, as curses knows it. */
const KEY_OF: Readonly<Record<string, string>> = {
  kcuu1: 'Up', kcud1: 'Down', kcuf1: 'Right', kcub1: 'Left', khome: 'Home', kend: 'End',
  kich1: 'Insert', kdch1: 'Delete', kpp: 'PageUp', knp: 'PageDown', kcbt: 'BTab', kent: 'KPEnter', kb2: 'KP5',
  kHOM: 'S-Home', kEND: 'S-End', kUP: 'S-Up', kDN: 'S-Down', kLFT: 'S-Left', kRIT: 'S-Right', kDC: 'S-Delete',
  kHOM5: 'C-Home', kEND5: 'C-End', kUP5: 'C-Up', kDN5: 'C-Down', kLFT5: 'C-Left', kRIT5: 'C-Right', kDC5: 'C-Delete',
  ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`kf${i + 1}`, `F${i + 1}`])),
}; // biome-ignore format: one glance is better than fifty lines

/** The terminfo strings of a terminal, by the name of the capability. */
function terminfo(term: string): Map<string, string> {
  const { status, stdout } = spawnSync('infocmp', ['-1x', term], { encoding: 'utf8' });
  expect(status, `${term} is known: ncurses-term has it`).toBe(0);
  const strings = [...stdout.matchAll(/^\t(\w+)=(.*),$/gm)];
  return new Map(strings.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

function unescaped(value: string): string {
  return value
    .replaceAll('\\E', '\x1b')
    .replace(/\\([,^\\])/g, (_, literal: string) => (literal === '^' ? '\0caret' : literal))
    .replace(/\^(.)/g, (_, letter: string) =>
      letter === '?' ? '\x7f' : String.fromCharCode(letter.charCodeAt(0) & 31),
    )
    .replaceAll('\0caret', '^');
}

describe.each(TERMS)('T-KEY-1: on %s', (term) => {
  test('every key sends what curses expects of it in the mode that curses switches on', () => {
    const known = terminfo(term);
    const start = known.get('smkx') ?? '';
    const modes = { applicationCursor: start.includes('\x1b[?1h'), applicationKeypad: start.includes('\x1b='), term };
    // The number pad of the console has keys of another kind.
    const isOurs = (name: string): boolean => known.has(name) && !(term === 'linux' && name === 'kb2');
    const expected = Object.keys(KEY_OF).filter(isOurs);
    expect(expected.length).toBeGreaterThan(20);
    const sent = expected.map((name) => [
      name,
      Buffer.from(encodeKeys([KEY_OF[name] ?? ''], modes)).toString('latin1'),
    ]);
    expect(sent).toEqual(expected.map((name) => [name, known.get(name)]));
  });
});
