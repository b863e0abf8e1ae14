import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import { deciderOf } from '../owners/decider.ts';
import { callerSession } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Removes a saved rule. An agent must not remove rules that restrict it or others. */
export function ruleRemove(parts: Parts, input: HandlerInput<'rule.remove'>): CallOutput<'rule.remove'> {
  deciderOf(input.caller);
  const me = callerSession(parts.journal, input.caller);
  if (me !== null) throw new OutlastError('decider_refused', `${nameOf(me)} is an agent, and may not remove rules`);
  const { workspace, effect, text } = input;
  if (parts.rules.drop(workspace, { effect, text })) return {};
  throw new OutlastError(
    'input_invalid',
    `there is no rule "${effect} ${text}" for ${workspace}; see \`outlast rules list\``,
  );
}
