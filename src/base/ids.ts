import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford's: no i, l, o, u to misread.
const TIME_CHARS = 10;
const CHANCE_CHARS = 10;

/** A new id: 20 lower-case characters, sortable by time, safe in a path, a tmux name and an environment. */
export function newId(nowMs: number): string {
  let time = '';
  for (let rest = nowMs, i = 0; i < TIME_CHARS; i += 1, rest = Math.floor(rest / 32))
    time = `${ALPHABET[rest % 32]}${time}`;
  return time + [...randomBytes(CHANCE_CHARS)].map((byte) => ALPHABET[byte % 32]).join('');
}

const SHORT_CHARS = 6;

/** A short random word, to tell one journal from another. */
export function newShortId(): string {
  return [...randomBytes(SHORT_CHARS)].map((byte) => ALPHABET[byte % 32]).join('');
}

const ID = /^[0-9a-hjkmnp-tv-z]{20}$/;

/** Does this text have the form of an id of ours? */
export function isId(word: string): boolean {
  return ID.test(word);
}

/** How much of an id is enough to name a session or a prompt; less says too little about what is meant. */
export const PREFIX_CHARS_MIN = 4;

const PREFIX = new RegExp(`^[0-9a-hjkmnp-tv-z]{${PREFIX_CHARS_MIN},19}$`);

/** Can this text be the beginning of an id of ours? */
export function isIdPrefix(word: string): boolean {
  return PREFIX.test(word);
}

/** How much of an id lists show: the time to the millisecond, and two characters of chance. */
const SHOWN_CHARS = 12;

/** The beginning of an id that lists show: 12 characters, or more where another id has the same. */
export function shortId(id: string, isUnique: (prefix: string) => boolean): string {
  for (let length = SHOWN_CHARS; length < id.length; length += 2)
    if (isUnique(id.slice(0, length))) return id.slice(0, length);
  return id;
}
