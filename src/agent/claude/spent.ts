import { type Counted, type Spent, sumOfKinds, type TokenKinds, type Used } from '../../core/usage.ts';
import { uncounted } from '../seam/spent-messages.ts';
import type { TurnEnd } from '../seam/turns.ts';
import type { CountedMessage, MessageSource } from '../seam/usage.ts';

/**
 * The usage since the last count. The stream of the last process reports its cost; a killed process reported none, so
 * its messages are charged at the price that the agent reported for the others.
 */
export function spentSince(
  { main, side }: MessageSource,
  since: Counted,
  said: Pick<TurnEnd, 'used'> | null,
): Used | null {
  const own = uncounted(main, since);
  const fresh = [...own, ...besides(main, side, since)];
  const used = said?.used;
  if (fresh.length === 0 && used === undefined) return null;
  const tokens = Math.max(sum(fresh.map((one) => one.tokens)), used?.tokens ?? 0);
  const usd = used === undefined || used.usd === null ? null : ownUsd(main, used.usd) + killedUsd(own, used.prices);
  const by = byModel(fresh, { tokens, usd, byKind: used?.byKind });
  const byKind = sumOfKinds(by.map((each) => each.byKind));
  return { tokens, usd, byKind, by, upTo: own.at(-1)?.message ?? since.message };
}

/** Messages of sub-agents in their own files have no common order, so the time decides. Older versions use one file. */
function besides(main: readonly CountedMessage[], side: readonly CountedMessage[], since: Counted): CountedMessage[] {
  const known = new Set(main.map(({ message }) => message));
  return side.filter(({ message, atMs }) => atMs !== null && atMs > since.atMs && !known.has(message));
}

/** Newer versions continue the cost count of the conversation's last process; older ones start from zero. */
function ownUsd(spoken: readonly CountedMessage[], totalUsd: number): number {
  const before = spoken.at(-1)?.usdBefore ?? 0;
  return totalUsd >= before ? totalUsd - before : totalUsd;
}

function killedUsd(fresh: readonly CountedMessage[], prices: Readonly<Record<string, number>> = {}): number {
  const last = fresh.at(-1)?.prompt;
  return sum(
    fresh.filter(({ prompt }) => prompt !== last).map(({ model, weight }) => weight * priceFor(model, prices)),
  );
}

/** The sum may name a variant of the model; if there is only one price, it is used. */
function priceFor(model: string | null, prices: Readonly<Record<string, number>>): number {
  const all = Object.values(prices);
  return prices[model ?? ''] ?? (all.length === 1 ? (all[0] ?? 0) : 0);
}

/** The usage by model. Tokens without a message count for the last model. */
function byModel(fresh: readonly CountedMessage[], { tokens, usd, byKind: said }: Omit<Spent, 'model'>): Spent[] {
  const last = fresh.at(-1)?.model ?? null;
  const rest = tokens - sum(fresh.map((one) => one.tokens));
  const models = [...new Set([...fresh.map(({ model }) => model), last])];
  const weight = (model: string | null): number =>
    sum(fresh.filter((one) => one.model === model).map((one) => one.weight));
  const whole = sum(models.map(weight));
  const kinds = (model: string | null): TokenKinds | undefined =>
    sumOfKinds(fresh.filter((one) => one.model === model).map(({ byKind }) => byKind));
  const restKinds = rest > 0 ? lessKinds(said, sumOfKinds(models.map(kinds))) : undefined;
  return models.map((model) => ({
    model,
    tokens: sum(fresh.filter((one) => one.model === model).map((one) => one.tokens)) + (model === last ? rest : 0),
    usd: usd === null ? null : whole === 0 ? usd : (usd * weight(model)) / whole,
    byKind: sumOfKinds([kinds(model), model === last ? restKinds : undefined]),
  }));
}

/** What is in the first and not in the second. */
function lessKinds(all: TokenKinds | undefined, known: TokenKinds | undefined): TokenKinds | undefined {
  if (all === undefined || known === undefined) return all;
  return {
    input: Math.max(0, all.input - known.input),
    output: Math.max(0, all.output - known.output),
    cacheRead: Math.max(0, all.cacheRead - known.cacheRead),
    cacheWrite: Math.max(0, all.cacheWrite - known.cacheWrite),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
