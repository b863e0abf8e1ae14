import type { Agent } from './agent.ts';
import { command } from './command/command.ts';

/** Every kind of agent. The only place that names them. */
export const AGENTS: Readonly<Record<string, Agent>> = { [command.name]: command };
