import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';

/** The results of the last scans for interrupted conversations. */
export function bootLast({ boot }: Parts, { limit }: HandlerInput<'boot.last'>): CallOutput<'boot.last'> {
  return { boots: boot.last(limit) };
}
