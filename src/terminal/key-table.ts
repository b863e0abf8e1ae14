/** What a named key sends, in the forms that modifiers treat differently. */
export type Key =
  /** Always the same bytes; only Meta shows, as a leading ESC. */
  | { readonly form: 'plain'; readonly bytes: string }
  /** Arrows, Home and End: CSI letter, or SS3 letter in application cursor mode. */
  | { readonly form: 'cursor'; readonly letter: string }
  /** F1 to F4: SS3 letter. With `shift`, the key that is reached with Shift: F13 is Shift-F1. */
  | { readonly form: 'function'; readonly letter: string; readonly shift?: boolean }
  /** The rest of the function and navigation keys: CSI number ~. `letter`: with modifiers it is a cursor key. */
  | { readonly form: 'number'; readonly number: number; readonly letter?: string; readonly shift?: boolean }
  /** The keys of the number pad: SS3 letter in application keypad mode, else the character on them. */
  | { readonly form: 'keypad'; readonly letter: string; readonly character: string };

/** Kinds of terminals, by what their keys send. Screen and tmux send the same. */
export type Dialect = 'xterm' | 'tmux' | 'linux' | 'rxvt';

/** The dialect of a terminal by its name in TERM. An unknown one is treated as an xterm, as most of them are. */
export function dialectOf(term: string): Dialect {
  const [, name = 'xterm'] = /^(tmux|screen|linux|rxvt)\b/.exec(term) ?? [];
  return name === 'screen' ? 'tmux' : (name as Dialect);
}

/** Every key that has a name, as an xterm sends it. Names are looked up in lower case, and written as people do. */
export const KEYS: Readonly<Record<string, Key>> = {
  Enter: plain('\r'),
  Return: plain('\r'),
  Tab: plain('\t'),
  BTab: plain('\x1b[Z'),
  Escape: plain('\x1b'),
  Esc: plain('\x1b'),
  Space: plain(' '),
  BSpace: plain('\x7f'),
  Backspace: plain('\x7f'),
  Up: cursor('A'),
  Down: cursor('B'),
  Right: cursor('C'),
  Left: cursor('D'),
  // As xterm does. ESC[1~ and ESC[4~ are the older VT220 form, which some programs no longer know.
  Home: cursor('H'),
  End: cursor('F'),
  Insert: number(2),
  IC: number(2),
  Delete: number(3),
  Del: number(3),
  DC: number(3),
  PageUp: number(5),
  PgUp: number(5),
  PPage: number(5),
  PageDown: number(6),
  PgDn: number(6),
  NPage: number(6),
  F1: { form: 'function', letter: 'P' },
  F2: { form: 'function', letter: 'Q' },
  F3: { form: 'function', letter: 'R' },
  F4: { form: 'function', letter: 'S' },
  // The gaps in these numbers are the VT220's: its function keys came in groups.
  F5: number(15),
  F6: number(17),
  F7: number(18),
  F8: number(19),
  F9: number(20),
  F10: number(21),
  F11: number(23),
  F12: number(24),
  // Keyboards have no more keys than that: these are the first ones with Shift.
  F13: { form: 'function', letter: 'P', shift: true },
  F14: { form: 'function', letter: 'Q', shift: true },
  F15: { form: 'function', letter: 'R', shift: true },
  F16: { form: 'function', letter: 'S', shift: true },
  F17: shifted(15),
  F18: shifted(17),
  F19: shifted(18),
  F20: shifted(19),
  'KP/': keypad('o', '/'),
  'KP*': keypad('j', '*'),
  'KP-': keypad('m', '-'),
  'KP+': keypad('k', '+'),
  KP0: keypad('p', '0'),
  KP1: keypad('q', '1'),
  KP2: keypad('r', '2'),
  KP3: keypad('s', '3'),
  KP4: keypad('t', '4'),
  KP5: keypad('u', '5'),
  KP6: keypad('v', '6'),
  KP7: keypad('w', '7'),
  KP8: keypad('x', '8'),
  KP9: keypad('y', '9'),
  'KP.': keypad('n', '.'),
  KPEnter: keypad('M', '\r'),
};

/** The VT220's numbers of F13 to F20. */
const LATE: Readonly<Record<string, Key>> = {
  F13: number(25),
  F14: number(26),
  F15: number(28),
  F16: number(29),
  F17: number(31),
  F18: number(32),
  F19: number(33),
  F20: number(34),
};

/** Where a dialect differs from an xterm. test/integration/keys-terminfo.test.ts checks it against terminfo. */
export const DIFFERENT: Readonly<Record<Dialect, Readonly<Record<string, Key>>>> = {
  xterm: {},
  tmux: {
    Home: { form: 'number', number: 1, letter: 'H' },
    End: { form: 'number', number: 4, letter: 'F' },
  },
  linux: {
    Home: { form: 'number', number: 1, letter: 'H' },
    End: { form: 'number', number: 4, letter: 'F' },
    BTab: plain('\x1b\t'),
    F1: plain('\x1b[[A'),
    F2: plain('\x1b[[B'),
    F3: plain('\x1b[[C'),
    F4: plain('\x1b[[D'),
    F5: plain('\x1b[[E'),
    ...LATE,
  },
  rxvt: { Home: number(7), End: number(8), F1: number(11), F2: number(12), F3: number(13), F4: number(14), ...LATE },
};

function plain(bytes: string): Key {
  return { form: 'plain', bytes };
}

function cursor(letter: string): Key {
  return { form: 'cursor', letter };
}

function number(value: number): Key {
  return { form: 'number', number: value };
}

function shifted(value: number): Key {
  return { form: 'number', number: value, shift: true };
}

function keypad(letter: string, character: string): Key {
  return { form: 'keypad', letter, character };
}
