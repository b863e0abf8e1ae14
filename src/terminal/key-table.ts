/** What a named key sends, in the four forms that modifiers treat differently. */
export type Key =
  /** Always the same bytes; only Meta shows, as a leading ESC. */
  | { readonly form: 'plain'; readonly bytes: string }
  /** Arrows, Home and End: CSI letter, or SS3 letter in application cursor mode. */
  | { readonly form: 'cursor'; readonly letter: string }
  /** F1 to F4: SS3 letter. */
  | { readonly form: 'function'; readonly letter: string }
  /** The rest of the function and navigation keys: CSI number ~. */
  | { readonly form: 'number'; readonly number: number };

/** Every key that has a name. Names are looked up in lower case; here they are as a person writes them. */
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
  F13: number(25),
  F14: number(26),
  F15: number(28),
  F16: number(29),
  F17: number(31),
  F18: number(32),
  F19: number(33),
  F20: number(34),
  'KP/': plain('\x1bOo'),
  'KP*': plain('\x1bOj'),
  'KP-': plain('\x1bOm'),
  'KP+': plain('\x1bOk'),
  KP0: plain('\x1bOp'),
  KP1: plain('\x1bOq'),
  KP2: plain('\x1bOr'),
  KP3: plain('\x1bOs'),
  KP4: plain('\x1bOt'),
  KP5: plain('\x1bOu'),
  KP6: plain('\x1bOv'),
  KP7: plain('\x1bOw'),
  KP8: plain('\x1bOx'),
  KP9: plain('\x1bOy'),
  'KP.': plain('\x1bOn'),
  KPEnter: plain('\x1bOM'),
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
