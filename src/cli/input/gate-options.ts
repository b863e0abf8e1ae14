import type { StartInput } from '../../client/index.ts';
import type { Values } from '../base/command.ts';
import { parseDuration } from '../base/duration.ts';
import { wrongCall } from '../base/parse.ts';
import { rulesIn } from './rules-file.ts';

/** Who decides about tool calls: flags of `run` and `start`. */
export const GATE_OPTIONS = {
  gate: { type: 'boolean', sentence: 'Every tool call needs approval; see `outlast approvals`.' },
  watch: {
    type: 'string',
    value: 'D',
    optional: /^\d[\d.]*(ms|d|h|m|s)/,
    sentence: 'Show each tool call for D (30s), then allow it. This is not a gate.',
  },
  'no-gate': { type: 'boolean', sentence: 'Tool calls need no approval, whatever the config says.' },
  'ask-timeout': {
    type: 'string',
    value: 'D|none',
    sentence: 'How long a call waits before it is denied.',
    otherwise: '5m',
  },
  allow: { type: 'string', multiple: true, value: 'RULE', sentence: 'Allow matching calls.' },
  ask: { type: 'string', multiple: true, value: 'RULE', sentence: 'Ask about matching calls.' },
  deny: { type: 'string', multiple: true, value: 'RULE', sentence: 'Deny matching calls.' },
  rules: {
    type: 'string',
    value: 'FILE',
    sentence: 'Read rules from a file: {"allow": […], "ask": […], "deny": […]}.',
  },
} as const;

type Gated = Pick<StartInput, 'gate' | 'policy'>;

/** The gate according to the options, together with the rest of the policy. */
export function gateInput(name: string, values: Values<typeof GATE_OPTIONS>, given: Pick<Gated, 'policy'>): Gated {
  const mode = modeOf(name, values);
  const askMs = askMsOf(name, values);
  const file = values.rules === undefined ? {} : rulesIn(name, values.rules);
  const [allow, ask, deny] = (['allow', 'ask', 'deny'] as const).map((effect) => [
    ...(file[effect] ?? []),
    ...values[effect],
  ]);
  return {
    ...given,
    gate: { ...(mode === undefined ? {} : { mode }), allow, ask, deny },
    ...(askMs === undefined ? {} : { policy: { ...given.policy, approvalMsMax: askMs } }),
  };
}

function modeOf(name: string, values: Values<typeof GATE_OPTIONS>): 'gate' | 'watch' | 'off' | undefined {
  const modes = [
    ...(values.gate ? (['gate'] as const) : []),
    ...(values.watch === undefined ? [] : (['watch'] as const)),
    ...(values['no-gate'] ? (['off'] as const) : []),
  ];
  if (modes.length > 1) throw wrongCall(`${name}: choose one of --gate, --watch and --no-gate`);
  return modes[0];
}

function askMsOf(name: string, { watch, 'ask-timeout': timeout }: Values<typeof GATE_OPTIONS>): number | undefined {
  if (watch !== undefined && timeout !== undefined)
    throw wrongCall(`${name}: --watch allows calls after its own time; write --watch ${timeout}`);
  if (watch !== undefined && watch !== '') return atLeast('--watch', watch);
  if (timeout === undefined) return undefined;
  return timeout === 'none' ? 0 : atLeast('--ask-timeout', timeout);
}

/** 0 would mean no timeout, which 0s does not say. */
function atLeast(option: string, word: string): number {
  const ms = parseDuration(option, word);
  if (ms > 0) return ms;
  throw wrongCall(
    `${option}: must be more than "${word}"${option === '--ask-timeout' ? '; write none for no timeout' : ''}`,
  );
}
