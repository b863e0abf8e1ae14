import type { CallOutput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';

/** Lists the saved rules. */
export function ruleList({ rules }: Parts): CallOutput<'rule.list'> {
  return { rules: [...rules.list()] };
}
