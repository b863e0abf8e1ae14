import type { Event } from '../core/event.ts';
import type { Session } from '../core/session.ts';
import type { UsageRow } from './journal.ts';

/** The usage that one more event reports, a row for each model; most events have none. */
export function usageRows(before: Session | null, { session, atMs, body }: Event): UsageRow[] {
  if (body.type !== 'usage.counted' || before === null) return [];
  const { turns, tokens, usd } = body.usage;
  const newUsd = usd === null ? null : usd - (before.accounting.usage.usd ?? 0);
  const by = body.by ?? [{ model: null, tokens: tokens - before.accounting.usage.tokens, usd: newUsd }];
  const head = { atMs, session, name: before.spec.name };
  // A turn counts once, however many models it used.
  return by.map((spent, i) => ({ ...head, ...spent, turns: i === 0 ? turns - before.accounting.usage.turns : 0 }));
}
