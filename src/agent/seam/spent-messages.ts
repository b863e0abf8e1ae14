import { type Counted, type Spent, sumOfKinds, type Used } from '../../core/usage.ts';
import type { CountedMessage } from './usage.ts';

/** Usage since the last count, for an agent whose record has the usage of each message. */
export function spentMessages(spoken: readonly CountedMessage[], since: Counted): Used | null {
  const fresh = uncounted(spoken, since);
  if (fresh.length === 0) return null;
  const models = [...new Set(fresh.map(({ model }) => model))];
  const by = models.map((model): Spent => ({ model, ...sums(fresh.filter((one) => one.model === model)) }));
  return { ...sums(fresh), by, upTo: fresh.at(-1)?.message ?? since.message };
}

/** The messages after the last counted one. If that is not among them, timestamps decide. */
export function uncounted(spoken: readonly CountedMessage[], since: Counted): readonly CountedMessage[] {
  const at = spoken.findLastIndex(({ message }) => message === since.message);
  // Another conversation, or a copy of one: messages older than the count were not sent here.
  return at >= 0 ? spoken.slice(at + 1) : spoken.filter(({ atMs }) => atMs === null || atMs >= since.atMs);
}

function sums(spoken: readonly CountedMessage[]): Omit<Spent, 'model'> {
  const costs = spoken.flatMap(({ usd }) => usd ?? []);
  const tokens = spoken.reduce((sum, one) => sum + one.tokens, 0);
  const usd = costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0);
  return { tokens, usd, byKind: sumOfKinds(spoken.map(({ byKind }) => byKind)) };
}
