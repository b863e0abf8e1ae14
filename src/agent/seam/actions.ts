import { type Action, type ReadActions, unmapped } from '../../core/rules/action.ts';
import type { Session } from '../../core/session.ts';
import type { Agent } from './agent.ts';

/** What a tool call of a session would do, as the adapter of its agent reads it. */
export type SessionActions = (session: Session, tool: string, input: unknown) => readonly Action[];

/** How the tool calls of an agent are read. For an agent that is no longer registered, a call is only a tool name. */
export function actionsBy(agents: Readonly<Record<string, Agent>>, name: string): ReadActions {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  return agent?.actions ?? unmapped;
}
