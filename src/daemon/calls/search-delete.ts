import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Deletes the search index. */
export async function searchDelete(
  { search, journal }: Parts,
  { caller }: HandlerInput<'search.delete'>,
): Promise<CallOutput<'search.delete'>> {
  refuseInside(journal, caller, 'delete the search index');
  return { bytes: await search.delete() };
}
