import { didYouMean } from '../../base/closest.ts';
import type { Given } from '../../client/index.ts';
import { path } from '../../client/node.ts';
import type { Values } from '../base/command.ts';
import { durationOf } from '../base/duration.ts';
import { wrongCall } from '../base/parse.ts';

type Phase = NonNullable<Given<'session.list'>['phase']>;

const PHASES: readonly Phase[] = [
  'queued', 'opening', 'starting', 'idle', 'working', 'blocked', 'recovering', 'held', 'limited', 'visited', 'closing',
]; // biome-ignore format: one glance is better than a dozen lines

const STATES: readonly string[] = ['live', 'ended', ...PHASES];

/** Options that select sessions. */
export const FILTER_OPTIONS = {
  state: {
    type: 'string',
    value: 'STATE',
    sentence: 'Only this state: live, ended, or a phase such as working or held.',
    completes: STATES,
  },
  agent: {
    type: 'string',
    value: 'NAME',
    sentence: 'Only sessions of this agent; `command`: only commands.',
    completes: 'agent',
  },
  owner: { type: 'string', value: 'S', sentence: "Only S's direct children.", completes: 'session' },
  workspace: { type: 'string', value: 'DIR', sentence: 'Only sessions that work in this folder, or below it.' },
  'older-than': { type: 'string', value: 'D', sentence: 'Only sessions started at least this long ago.' },
  'newer-than': { type: 'string', value: 'D', sentence: 'Only sessions started less than this long ago.' },
} as const;

type Filters = Values<typeof FILTER_OPTIONS>;
/** Was any of them given? */
export function isFiltered(values: Filters): boolean {
  return Object.keys(FILTER_OPTIONS).some((name) => values[name as keyof Filters] !== undefined);
}

/** The filter as input for the daemon. */
export function filterInput(
  command: string,
  values: Filters,
): Omit<Given<'session.list'>, 'limit' | 'before' | 'tail'> {
  const { state, agent, owner, workspace } = values;
  const given = {
    agent,
    owner,
    workspace: workspace === undefined ? undefined : path.resolve(workspace),
    olderThanMs: durationOf('--older-than', values['older-than']),
    newerThanMs: durationOf('--newer-than', values['newer-than']),
  };
  if (state === undefined || state === 'all') return given;
  if (state === 'live' || state === 'ended') return { ...given, state };
  if (!(PHASES as readonly string[]).includes(state))
    throw wrongCall(
      `${command}: there is no state "${state}"${didYouMean(state, STATES) || `; available: ${STATES.join(', ')}`}`,
    );
  return { ...given, phase: state as Phase };
}
