import { type Action, type ReadActions, unmapped } from '../../core/rules/action.ts';
import type { Session } from '../../core/session.ts';
import type { Agent } from './agent.ts';

/** What a tool call of a session would do, as the adapter of its agent reads it. */
export type SessionActions = (session: Session, tool: string, input: unknown) => readonly Action[];

/** How the tool calls of an agent are read. Of one that nobody knows any more, only the name of the tool is known. */
export function actionsBy(agents: Readonly<Record<string, Agent>>, name: string): ReadActions {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  return agent?.actions ?? unmapped;
}
