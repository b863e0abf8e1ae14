import { asNumber, type Fields } from './json.ts';

const KINDS = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];

/** All tokens that a `usage` record counts. */
export function tokensOf(usage: Fields | null): number {
  return usage === null ? 0 : KINDS.reduce((sum, kind) => sum + (asNumber(usage[kind]) ?? 0), 0);
}
