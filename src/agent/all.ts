import type { Agent } from './agent.ts';
import { claude } from './claude/claude.ts';
import { command } from './command/command.ts';
import { scripted } from './scripted/scripted.ts';

/** The agent that is meant when nobody says which. */
export const DEFAULT_AGENT = claude.name;

/** Every kind of agent. The only place that names them. The last one is a program of ours, run by Node. */
export function allAgents(node: string, scriptedProgram: string): Readonly<Record<string, Agent>> {
  const all = [command, claude, scripted(node, scriptedProgram)];
  return Object.fromEntries(all.map((agent) => [agent.name, agent]));
}
