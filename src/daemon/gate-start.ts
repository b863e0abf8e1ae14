import type { HandlerInput } from '../api/contract.ts';
import { OutlastError } from '../base/errors.ts';
import { parseRules } from '../core/rules.ts';
import type { Gate, Policy } from '../core/session.ts';
import type { Config } from './config-schema.ts';

type Wanted = Pick<HandlerInput<'session.start'>, 'gate' | 'policy'>;

/** How long a call is shown in `watch` when nobody says. */
const WATCH_MS = 30_000;

/** Who decides about the tool calls of a session: what its caller says, else the config. */
export function gateOf({ gate }: Wanted, config: Pick<Config, 'gate'>): { readonly gate?: Gate } {
  const mode = gateModeOf({ gate }, config);
  const { allow, ask, deny } = gate;
  const [fault] = parseRules({ allow, ask, deny }).faults;
  if (fault !== undefined) throw new OutlastError('input_invalid', fault);
  if (mode !== 'off') return { gate: { mode, rules: { allow, ask, deny } } };
  if (allow.length + ask.length + deny.length > 0) {
    throw new OutlastError('input_invalid', 'rules need a gate: say --gate or --watch with them');
  }
  return {};
}

/** A call that is only watched is shown for a shorter while than a question waits. */
export function askPolicy({ gate, policy }: Wanted, config: Pick<Config, 'gate'>): Partial<Policy> {
  const isSaid = policy?.approvalMsMax !== undefined;
  return gateModeOf({ gate }, config) === 'watch' && !isSaid ? { approvalMsMax: WATCH_MS } : {};
}

/** What its caller says, else the config. */
export function gateModeOf({ gate }: Pick<Wanted, 'gate'>, config: Pick<Config, 'gate'>): 'off' | Gate['mode'] {
  return gate.mode ?? config.gate;
}
