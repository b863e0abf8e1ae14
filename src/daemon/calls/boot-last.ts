import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';

/** Tells what the last looks for interrupted conversations found and did. */
export function bootLast({ boot }: Parts, { limit }: HandlerInput<'boot.last'>): CallOutput<'boot.last'> {
  return { boots: boot.last(limit) };
}
