import { DEFAULT_AGENT } from '../../agent/all.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Journal, Row } from '../../journal/journal.ts';
import type { Config } from '../config/schema.ts';
import type { TakeOver } from './agent-start.ts';
import { startedFrom } from './shell.ts';
import { type OwnedStart, ownership } from './spawn-start.ts';
import { readStart, type Start } from './start.ts';

/** The dependencies of a check. */
export interface PrepareParts {
  readonly config: Config;
  readonly journal: Journal;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly find: (word: string) => Row;
}

/** Validates a start, and fills in all defaults, its owner and its limits. Starts nothing. */
export function prepare(parts: PrepareParts, input: OwnedStart, over: TakeOver | null = null): Start {
  const { journal, config, agents, clock, find } = parts;
  // A missing permission is reported before a missing program.
  const agent = (input.argv ?? input.shell) === undefined ? input.agent || config.agent || DEFAULT_AGENT : null;
  const owned = ownership({ journal, config }, input, agent);
  const known = { config, agents, find, nowMs: clock.wallMs(), uid: process.getuid?.() ?? 0 };
  const { spec, ...read } = readStart(input, known, over);
  const { schedule } = input;
  if (spec.name !== null && journal.find(spec.name)?.live)
    throw new OutlastError('name_taken', `a session named "${spec.name}" is live`);
  return { ...read, spec: { ...spec, ...owned, ...startedFrom(input), ...(schedule && { schedule }) } };
}
