import type { TokenKinds } from '../../core/usage.ts';
import { asNumber } from './json.ts';

/** Counts as an agent records them. */
type Recorded = Readonly<Record<keyof TokenKinds, unknown>>;

/**
 * The kinds, where the recorded input has nothing that was read from the cache or written to it. Undefined where input
 * and output are not told apart.
 */
export function kindsOf({ input, output, cacheRead, cacheWrite }: Recorded): TokenKinds | undefined {
  const [read, written] = [asNumber(input), asNumber(output)];
  if (read === null || written === null) return undefined;
  return {
    input: Math.max(0, read),
    output: Math.max(0, written),
    cacheRead: asNumber(cacheRead) ?? 0,
    cacheWrite: asNumber(cacheWrite) ?? 0,
  };
}

/** The kinds, where the recorded input includes what was read from the cache and written to it. */
export function kindsInAll({ input, ...others }: Recorded): TokenKinds | undefined {
  const all = asNumber(input);
  const cached = (asNumber(others.cacheRead) ?? 0) + (asNumber(others.cacheWrite) ?? 0);
  return kindsOf({ ...others, input: all === null ? null : all - cached });
}
