import type { TokenKinds } from '../../core/usage.ts';
import { asNumber, type Fields } from '../seam/json.ts';
import { kindsOf } from '../seam/token-kinds.ts';

/** The price of a token of each kind, relative to an input token. The same for every Claude model. */
const WEIGHTS: Readonly<Record<string, number>> = {
  input_tokens: 1,
  output_tokens: 5,
  cache_creation_input_tokens: 1.25,
  cache_read_input_tokens: 0.1,
};

/** The names of these kinds in the sums by model. */
const SUM_NAMES: Readonly<Record<string, string>> = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cacheCreationInputTokens: 'cache_creation_input_tokens',
  cacheReadInputTokens: 'cache_read_input_tokens',
};

/** All tokens that a `usage` record counts. */
export function tokensOf(usage: Fields | null): number {
  return sumOf(usage, () => 1);
}

/** These tokens by kind. */
export function kindsIn(usage: Fields | null): TokenKinds | undefined {
  return kindsOf({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cacheRead: usage?.cache_read_input_tokens,
    cacheWrite: usage?.cache_creation_input_tokens,
  });
}

/** The tokens of a message, each weighted by its relative price. */
export function weightOf(usage: Fields | null): number {
  return sumOf(usage, (kind) => WEIGHTS[kind] ?? 0);
}

/** The price of one input token, from a model's token sums and their cost; null when it cannot be computed. */
export function priceOf(sum: Fields | null): number | null {
  const usd = asNumber(sum?.costUSD);
  if (sum === null || usd === null) return null;
  const named = Object.entries(SUM_NAMES).map(([name, kind]) => [kind, sum[name]] as const);
  const weight = weightOf(Object.fromEntries(named));
  return weight > 0 && usd > 0 ? usd / weight : null;
}

function sumOf(usage: Fields | null, weight: (kind: string) => number): number {
  if (usage === null) return 0;
  return Object.keys(WEIGHTS).reduce((sum, kind) => sum + (asNumber(usage[kind]) ?? 0) * weight(kind), 0);
}
