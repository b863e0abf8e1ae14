import { type KnownAgent, knownAgents } from '../../agent/known.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import { OutlastError } from '../../base/errors.ts';
import { configuredModels } from '../config/models.ts';
import type { Config } from '../config/schema.ts';

interface Parts {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly config: Config;
}

/**
 * The model id of a name: a short name of this agent, or a full id. A name is never guessed, and never looked up in the
 * table of another agent.
 */
export function modelOf(name: string, agent: KnownAgent, { agents, config }: Parts): string {
  const own = shortNames(config, agent);
  const id = own.get(name);
  if (id !== undefined) return id;
  if (agent.program.models.isId(name)) return name;
  const there = own.size === 0 ? 'use a full id' : `use one of: ${[...own.keys()].join(', ')}, or a full id`;
  const others = knownAgents(agents).filter((other) => shortNames(config, other).has(name));
  if (others.length === 0) throw invalid(`there is no model "${name}"; ${there}`);
  const whose = others.map((other) => other.name).join(', ');
  throw invalid(`"${name}" is a model of ${whose}, not of ${agent.name}; use --agent ${others[0]?.name}, or ${there}`);
}

/** The short names of an agent and their ids: those of the config, then the built-in ones. The config wins. */
function shortNames(config: Config, { name, program }: KnownAgent): ReadonlyMap<string, string> {
  const configured = configuredModels(config, name);
  const builtIn = program.models.table.filter((row) => !configured.has(row.name));
  return new Map([...configured, ...builtIn.map((row) => [row.name, row.id] as const)]);
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
