import { OutlastError } from '../../base/errors.ts';
import type { Seen } from './scan.ts';

/** As much of an id as tables show. */
const ID_CHARS_MIN = 8;

/** Does this word mean this conversation? The beginning of an id is as good as the id. */
export function isMeant(word: string, id: string): boolean {
  return word === id || (word.length >= ID_CHARS_MIN && id.startsWith(word));
}

/** The ids of the conversations that were named. Each word must mean one and no other. */
export function meantBy(words: readonly string[], seen: readonly Pick<Seen, 'listed'>[]): Set<string> {
  const meant = words.map((word) => idsFor(word, seen));
  const missing = words.filter((_, i) => meant[i]?.length === 0);
  if (missing.length > 0) throw new OutlastError('conversation_unknown', `not found: ${missing.join(', ')}`);
  const two = meant.findIndex((ids) => ids.length > 1);
  if (two >= 0)
    throw new OutlastError(
      'conversation_unknown',
      `${meant[two]?.length} conversations begin with "${words[two]}": ${meant[two]?.slice(0, 3).join(', ')}`,
    );
  return new Set(meant.flat());
}

function idsFor(word: string, seen: readonly Pick<Seen, 'listed'>[]): string[] {
  const ids = new Set(seen.map(({ listed }) => listed.id));
  return ids.has(word) ? [word] : [...ids].filter((id) => isMeant(word, id));
}
