import { unreachable } from '../base/assert.ts';
import { OutlastError } from '../base/errors.ts';
import { DIFFERENT, dialectOf, KEYS, type Key } from './key-table.ts';

/** What a program asked of its keyboard. Application cursor mode changes the arrows, Home and End, when unmodified. */
export interface KeyModes {
  readonly applicationCursor: boolean;
  /** The number pad sends sequences instead of characters. */
  readonly applicationKeypad?: boolean;
  /** The program's TERM. */
  readonly term?: string;
}

interface Modifiers {
  readonly control: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
}

/**
 * Turns keys as a person writes them into the bytes that the terminal sends: `Enter`, `C-c`, `^C`, `M-S-Up`, `0x1b`.
 * Any other token is refused, because sending a misspelt key name as text would be a surprise.
 */
export function encodeKeys(keys: readonly string[], modes: KeyModes): Uint8Array {
  return Buffer.concat(keys.map((token) => encodeToken(token, modes)));
}

/** Turns words of hex digits into bytes: `1b`, `0x1b`, `a`, or many pairs in one word as in `1b5b41`. */
export function decodeHex(words: readonly string[]): Uint8Array {
  return Buffer.concat(words.map(decodeWord));
}

/** Every key name, for help and completion. */
export function keyNames(): readonly string[] {
  return Object.keys(KEYS);
}

const UNMODIFIED: Modifiers = { control: false, meta: false, shift: false };
const KEY_OF = new Map(Object.entries(KEYS).map(([name, key]) => [name.toLowerCase(), key]));
const NAME_OF = new Map(Object.keys(KEYS).map((name) => [name.toLowerCase(), name]));
/** The longest joined emoji have about 30; text is not worth segmenting. */
const CHARACTER_UNITS_MAX = 64;

function encodeToken(token: string, modes: KeyModes): Uint8Array {
  if (token === '') return new Uint8Array();
  if (/^0x[0-9a-f]{2}$/i.test(token)) return decodeWord(token);
  const text = encodeBase(token, UNMODIFIED, modes) ?? encodeCaret(token) ?? encodeModified(token, modes);
  if (text === undefined) throw unknown(token);
  return Buffer.from(text);
}

function encodeBase(base: string, modifiers: Modifiers, modes: KeyModes): string | undefined {
  const dialect = dialectOf(modes.term ?? '');
  const key = KEY_OF.get(base.toLowerCase());
  if (base === ' ' || key === KEYS.Space) return encodeCharacter(' ', modifiers);
  if (key === KEYS.Tab && modifiers.shift) return encodeBase('BTab', { ...modifiers, shift: false }, modes);
  const own = DIFFERENT[dialect][NAME_OF.get(base.toLowerCase()) ?? ''] ?? key;
  if (own !== undefined)
    return dialect === 'rxvt' ? encodeRxvt(own, modifiers, modes) : encodeKey(own, modifiers, modes);
  return isCharacter(base) ? encodeCharacter(base, modifiers) : undefined;
}

function encodeKey(key: Key, modifiers: Modifiers, modes: KeyModes): string {
  const isShifted = 'shift' in key && key.shift === true;
  const code = modifierCode(isShifted ? { ...modifiers, shift: true } : modifiers);
  switch (key.form) {
    case 'plain':
      return meta(key.bytes, modifiers);
    case 'keypad':
      return meta(modes.applicationKeypad ? `\x1bO${key.letter}` : key.character, modifiers);
    case 'cursor':
      if (code > 1) return `\x1b[1;${code}${key.letter}`;
      return modes.applicationCursor ? `\x1bO${key.letter}` : `\x1b[${key.letter}`;
    case 'function':
      return code > 1 ? `\x1b[1;${code}${key.letter}` : `\x1bO${key.letter}`;
    case 'number':
      if (code > 1 && key.letter !== undefined) return `\x1b[1;${code}${key.letter}`;
      return code > 1 ? `\x1b[${key.number};${code}~` : `\x1b[${key.number}~`;
    default:
      return unreachable(key);
  }
}

/** rxvt has no modifier sum: Shift and Ctrl change the last character, and Meta is a leading ESC. */
function encodeRxvt(key: Key, modifiers: Modifiers, modes: KeyModes): string {
  const { control, shift } = modifiers;
  if (key.form === 'number') {
    const last = control && shift ? '@' : control ? '^' : shift ? '$' : '~';
    return meta(`\x1b[${key.number}${last}`, modifiers);
  }
  if (key.form === 'cursor' && (control || shift))
    return meta(`\x1b${control ? 'O' : '['}${key.letter.toLowerCase()}`, modifiers);
  return meta(encodeKey(key, UNMODIFIED, modes), modifiers);
}

/** xterm's sum: one, plus a bit for each modifier. */
function modifierCode(modifiers: Modifiers): number {
  return 1 + (modifiers.shift ? 1 : 0) + (modifiers.meta ? 2 : 0) + (modifiers.control ? 4 : 0);
}

function encodeCharacter(character: string, modifiers: Modifiers): string | undefined {
  if (!modifiers.control) return meta(modifiers.shift ? upperCase(character) : character, modifiers);
  const code = controlCode(character);
  return code === undefined ? undefined : meta(code, modifiers);
}

function upperCase(character: string): string {
  const upper = character.toUpperCase();
  // One key press gives one character: an upper-case sharp s would be two.
  return upper.length === character.length ? upper : character;
}

function meta(text: string, modifiers: Modifiers): string {
  return modifiers.meta ? `\x1b${text}` : text;
}

/** The control codes have one character each: the upper-case one 64 above, DEL the one 64 below; Ctrl-Space is NUL. */
function controlCode(character: string): string | undefined {
  if (character === ' ') return '\0';
  if (!/^[@a-z[\\\]^_?]$/i.test(character)) return undefined;
  return String.fromCharCode(character.toUpperCase().charCodeAt(0) ^ 0x40);
}

function encodeCaret(token: string): string | undefined {
  return token.length === 2 && token.startsWith('^') ? controlCode(token.slice(1)) : undefined;
}

function encodeModified(token: string, modes: KeyModes): string | undefined {
  const found = /^((?:[cms]-)+)(.+)$/is.exec(token);
  const [, prefix, base] = found ?? [];
  if (prefix === undefined || base === undefined) return undefined;
  const has = (letter: string): boolean => prefix.toLowerCase().includes(letter);
  return encodeBase(base, { control: has('c'), meta: has('m'), shift: has('s') }, modes);
}

/** One character as a person counts them, accents and joiners included; half a surrogate pair is not one. */
function isCharacter(text: string): boolean {
  if (text.length > CHARACTER_UNITS_MAX || !text.isWellFormed() || text === '\r\n') return false;
  // Created on use: it costs a megabyte, and every holder loads this file.
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length === 1;
}

function unknown(token: string): OutlastError {
  return new OutlastError(
    'input_invalid',
    `cannot send ${quoted(token)}: no such key. A key is a name (Enter, Up, F5), one character, ^X, 0xNN, or ` +
      'C-, M-, S- before a name or before a character that has such a code; to send it as text use write',
  );
}

function decodeWord(word: string): Uint8Array {
  const digits = word.replace(/^0x/i, '');
  const isHex = /^[0-9a-f]+$/i.test(digits);
  if (!isHex || (digits.length > 2 && digits.length % 2 === 1)) {
    throw new OutlastError(
      'input_invalid',
      `cannot read ${quoted(word)} as hex: one byte is 1 or 2 hex digits, several in one word are pairs`,
    );
  }
  return Buffer.from(digits.length === 1 ? `0${digits}` : digits, 'hex');
}

function quoted(token: string): string {
  return JSON.stringify(token.length > 60 ? `${token.slice(0, 60)}…` : token);
}
