import { isAbsolute } from 'node:path';
import { DEFAULT_AGENT } from '../../agent/all.ts';
import { type KnownAgent, knownAgents } from '../../agent/known.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Config } from '../config/schema.ts';
import { programOf } from '../gate/agent-version.ts';

interface Parts {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly config: Pick<Config, 'agent'>;
}

/** The agent of a caller who names none, and what to tell them about the choice. */
export interface ChosenAgent {
  readonly name: string;
  readonly notes: readonly string[];
}

/** The agent of the config; without one the usual agent, or the only one that is on the caller's PATH. */
export function defaultAgent({ agents, config }: Parts, path: string): ChosenAgent {
  if (config.agent !== '') return { name: config.agent, notes: [] };
  const installed = knownAgents(agents).filter((agent) => isInstalled(agent, path));
  const [only, ...others] = installed;
  if (only === undefined || others.length > 0 || only.name === DEFAULT_AGENT) return { name: DEFAULT_AGENT, notes: [] };
  return { name: only.name, notes: [`using ${only.name}, the only agent on your PATH`] };
}

/** The agents of Outlast itself are always there, and are not meant for work. */
function isInstalled({ program, configured, wrong }: KnownAgent, path: string): boolean {
  if (wrong !== undefined || program.isGiven === true || (isAbsolute(program.name) && configured === undefined))
    return false;
  try {
    return programOf(program, path) !== null;
  } catch (error) {
    if (error instanceof OutlastError) return false;
    throw error;
  }
}
