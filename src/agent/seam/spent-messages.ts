import type { Counted, Spent, Used } from '../../core/usage.ts';
import type { CountedMessage } from './usage.ts';

/** What was used up since the last count, of an agent whose record says for each message what it used up. */
export function spentMessages(spoken: readonly CountedMessage[], since: Counted): Used | null {
  const fresh = uncounted(spoken, since);
  if (fresh.length === 0) return null;
  const models = [...new Set(fresh.map(({ model }) => model))];
  const by = models.map((model): Spent => ({ model, ...sums(fresh.filter((one) => one.model === model)) }));
  return { ...sums(fresh), by, upTo: fresh.at(-1)?.message ?? since.message };
}

/** Those after the last one that was counted. Where that is not among them, the time decides. */
export function uncounted(spoken: readonly CountedMessage[], since: Counted): readonly CountedMessage[] {
  const at = spoken.findLastIndex(({ message }) => message === since.message);
  // Another conversation, or a copy of one: what is older than the count was not said here.
  return at >= 0 ? spoken.slice(at + 1) : spoken.filter(({ atMs }) => atMs === null || atMs >= since.atMs);
}

function sums(spoken: readonly CountedMessage[]): Omit<Spent, 'model'> {
  const costs = spoken.flatMap(({ usd }) => usd ?? []);
  const tokens = spoken.reduce((sum, one) => sum + one.tokens, 0);
  return { tokens, usd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0) };
}
