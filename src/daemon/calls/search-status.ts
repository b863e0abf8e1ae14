import type { CallOutput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';

/** What the search index has, and whether it is up to date. */
export function searchStatus({ search }: Parts): Promise<CallOutput<'search.status'>> {
  return search.status();
}
