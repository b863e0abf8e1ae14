import { type Action, type ReadActions, unmapped } from '../../core/rules/action.ts';
import type { Session } from '../../core/session.ts';
import type { Agent } from './agent.ts';

/** The actions of a tool call of a session, as its adapter reads them. */
export type SessionActions = (session: Session, tool: string, input: unknown) => readonly Action[];

/** How the tool calls of an agent are read. For an agent that is no longer registered, only the tool name is known. */
export function actionsBy(agents: Readonly<Record<string, Agent>>, name: string): ReadActions {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  return agent?.actions ?? unmapped;
}
