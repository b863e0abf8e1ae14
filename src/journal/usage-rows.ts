import type { Event } from '../core/event.ts';
import type { Session } from '../core/session.ts';
import type { UsageRow } from './journal.ts';

/** What one more event says was used up, a row for each model; none for most. */
export function usageRows(before: Session | null, { session, atMs, body }: Event): UsageRow[] {
  if (body.type !== 'usage.counted' || before === null) return [];
  const { turns, tokens, usd } = body.usage;
  const newUsd = usd === null ? null : usd - (before.accounting.usage.usd ?? 0);
  const by = body.by ?? [{ model: null, tokens: tokens - before.accounting.usage.tokens, usd: newUsd }];
  const head = { atMs, session, name: before.spec.name };
  // A turn is one, however many models it used.
  return by.map((spent, i) => ({ ...head, ...spent, turns: i === 0 ? turns - before.accounting.usage.turns : 0 }));
}
