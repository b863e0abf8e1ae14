import { OutlastError } from '../../base/errors.ts';
import { checkTypes } from './event-types.ts';

/** One condition that a caller waits for. */
export type Wanted =
  | { readonly kind: 'exit' | 'idle' | 'held' | 'approval' }
  | { readonly kind: 'event'; readonly type: string }
  | { readonly kind: 'idle-output'; readonly ms: number }
  | { readonly kind: 'text'; readonly source: string };

/** Parses the conditions of a wait: one, or several with commas. The first to be met ends the wait. */
export function wantedOf(words: string): Wanted[] {
  return words.split(BETWEEN).map(oneOf);
}

/** A comma separates only where another condition begins: a regular expression may contain commas. */
const BETWEEN = /,(?=(?:exit|ended|idle|held|approval)(?:,|$)|(?:event|idle-output|text):)/;

const ALLOWED = 'exit, ended, idle, held, approval, event:TYPE, idle-output:2s, text:REGEX';

function oneOf(words: string): Wanted {
  switch (words) {
    case 'exit':
    case 'ended':
      return { kind: 'exit' };
    case 'idle':
    case 'held':
    case 'approval':
      return { kind: words };
  }
  const [kind, rest] = splitOnce(words);
  if (kind === 'idle-output') return { kind, ms: durationMs(rest) };
  if (kind === 'text' && rest !== '') return { kind, source: rest };
  if (kind === 'event') {
    checkTypes([rest], 'for');
    return { kind, type: rest };
  }
  throw new OutlastError('input_invalid', `for: "${words}" is not one of ${ALLOWED}`);
}

function splitOnce(words: string): [string, string] {
  const at = words.indexOf(':');
  return at < 0 ? [words, ''] : [words.slice(0, at), words.slice(at + 1)];
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function durationMs(words: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(words);
  if (match === null)
    throw new OutlastError('input_invalid', `for: "${words}" is not a valid duration; write 500ms, 2s or 1m`);
  return Number(match[1]) * (UNIT_MS[match[2] ?? 's'] ?? 1_000);
}
