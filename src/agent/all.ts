import { anyAcp } from './acp/any.ts';
import { claude } from './claude/claude.ts';
import { codex } from './codex/codex.ts';
import { command } from './command/command.ts';
import { copilot } from './copilot/copilot.ts';
import { echoes } from './echo/echo.ts';
import { gemini } from './gemini/gemini.ts';
import { goose } from './goose/goose.ts';
import { OPENCLAW_HOME, openclawConversations } from './openclaw/openclaw.ts';
import { opencode } from './opencode/opencode.ts';
import { pi } from './pi/pi.ts';
import { qwen } from './qwen/qwen.ts';
import { scripted } from './scripted/scripted.ts';
import type { Agent } from './seam/agent.ts';
import type { Conversations } from './seam/conversations.ts';

/** The default agent. */
export const DEFAULT_AGENT = claude.name;

/** Agents that are programs of Outlast itself, run by Node. */
export type OwnAgent = 'scripted' | 'echo';

/** Every kind of agent. The only place that names them. */
export function allAgents(node: string, path: (own: OwnAgent) => string): Readonly<Record<string, Agent>> {
  const all = [
    command,
    claude,
    codex,
    copilot,
    opencode,
    pi,
    qwen,
    gemini,
    goose,
    anyAcp,
    scripted(node, path('scripted')),
    ...echoes(node, path('echo')),
  ];
  return Object.fromEntries(all.map((agent) => [agent.name, agent]));
}

/** Every store of conversations: of agents that we can start, and of those that we can only ask. */
export function allConversations(agents: Readonly<Record<string, Agent>>): readonly Conversations[] {
  return [...Object.values(agents).flatMap(({ conversations }) => conversations ?? []), openclawConversations];
}

/** The environment variables with which users choose where agents store everything. */
export function homeVariables(agents: Readonly<Record<string, Agent>>): readonly string[] {
  const homes = Object.values(agents).flatMap(({ program }) => program?.environment.home ?? []);
  return [...new Set([...homes, OPENCLAW_HOME])].sort();
}
