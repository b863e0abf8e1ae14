import type { StartInput } from '../../client/index.ts';
import type { Values } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { wrongCall } from '../base/parse.ts';

/** Limits for a session that starts others. */
export const SPAWN_OPTIONS = {
  'spawn-depth': { type: 'string', value: 'N', sentence: 'How deep a tree of sessions it may start.', otherwise: '1' },
  'spawn-children': { type: 'string', value: 'N', sentence: 'How many live sessions it may own.', otherwise: '5' },
  'spawn-agents': { type: 'string', value: 'A,B', sentence: 'Agents it may start.', otherwise: 'all' },
  'spawn-usd': {
    type: 'string',
    value: 'N',
    sentence: 'Budget in dollars for it and its descendants.',
    otherwise: 'no limit',
  },
} as const;

/** The limits according to the options. */
export function spawnInput(values: Values<typeof SPAWN_OPTIONS>): Pick<StartInput, 'spawn'> {
  const depth = values['spawn-depth'];
  const children = values['spawn-children'];
  const agents = values['spawn-agents'];
  const usd = values['spawn-usd'];
  const spawn = {
    ...(depth === undefined ? {} : { depthMax: countOf('--spawn-depth', depth) }),
    ...(children === undefined ? {} : { childrenMax: countOf('--spawn-children', children) }),
    ...(agents === undefined ? {} : { agents: agents.split(',').filter((name) => name !== '') }),
    ...(usd === undefined ? {} : { budget: { usd: dollarsOf(usd) } }),
  };
  return Object.keys(spawn).length === 0 ? {} : { spawn };
}

function dollarsOf(word: string): number {
  const usd = Number(word);
  if (word.trim() !== '' && usd >= 0) return usd;
  throw wrongCall(`--spawn-usd: "${word}" is not a valid amount; write it like 2.50`);
}
