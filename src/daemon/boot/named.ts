import { OutlastError } from '../../base/errors.ts';
import type { Seen } from './scan.ts';

type Judged = Pick<Seen, 'listed' | 'is' | 'why'>;

/** The length of an id in tables. */
const ID_CHARS_MIN = 8;
const SHOWN_MAX = 500;

/** True when the word names this conversation: by its id or by the beginning of it. */
export function isMeant(word: string, id: string): boolean {
  return word === id || (word.length >= ID_CHARS_MIN && id.startsWith(word));
}

/** True when the words name conversations, and not all of them. */
export function isNaming(words: readonly string[]): boolean {
  return words.length > 0 && !words.includes('all');
}

/** The filter for named conversations: without names, all of them. */
export function wantedIn(words: readonly string[]): (id: string) => boolean {
  return isNaming(words) ? (id) => words.some((word) => isMeant(word, id)) : () => true;
}

/** The named conversations; all if there are no names. Each word must match exactly one. */
export function onlyNamed<S extends Judged>(words: readonly string[], seen: readonly S[]): S[] {
  if (!isNaming(words)) return [...seen];
  const meant = words.map((word) => idsFor(word, seen));
  const missing = words.filter((_, i) => meant[i]?.length === 0);
  if (missing.length > 0)
    throw unknown([`no conversation was found for ${missing.join(', ')}`, ...blindSpots(seen)].join('; '));
  const two = meant.findIndex((ids) => ids.length > 1);
  const ids = meant[two] ?? [];
  if (two >= 0) throw unknown(`${ids.length} conversations begin with "${words[two]}": ${ids.slice(0, 3).join(', ')}`);
  return seen.filter(({ listed }) => meant.flat().includes(listed.id));
}

/** The conversations that fit into a view: an interrupted one is never left out for one that is not. */
export function shown<S extends Pick<Seen, 'is' | 'atMs'>>(seen: readonly S[]): S[] {
  if (seen.length <= SHOWN_MAX) return [...seen];
  const first = [...seen.filter(({ is }) => is === 'interrupted'), ...seen.filter(({ is }) => is !== 'interrupted')];
  return first.slice(0, SHOWN_MAX).toSorted((a, b) => b.atMs - a.atMs);
}

function idsFor(word: string, seen: readonly Judged[]): string[] {
  const ids = new Set(seen.flatMap(({ listed }) => (listed.isStore ? [] : [listed.id])));
  return ids.has(word) ? [word] : [...ids].filter((id) => isMeant(word, id));
}

/** Places that could not be read and may contain the named conversation. */
function blindSpots(seen: readonly Judged[]): string[] {
  return seen.flatMap(({ listed, why }) => (listed.isStore ? [`${listed.path}: ${why}`] : []));
}

function unknown(message: string): OutlastError {
  return new OutlastError('conversation_unknown', message);
}
