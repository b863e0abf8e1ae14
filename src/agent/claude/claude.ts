import type { Agent } from '../seam/agent.ts';
import type { HookGate } from '../seam/gate.ts';
import { mentioning } from '../seam/images.ts';
import { claudeActions } from './actions.ts';
import { claudeConversations } from './conversations.ts';
import type { Dialect } from './dialect.ts';
import { claudeGate } from './gate.ts';
import { claudeLive } from './live-drive.ts';
import { claudeProgram } from './program.ts';
import { isSameText } from './prompt-text.ts';
import { claudeRecord } from './record.ts';
import { reportsOf } from './reports.ts';
import { runLaunch } from './run-launch.ts';
import { claudeSources } from './sources.ts';
import { turnReader } from './turns.ts';
import { claudeTurns } from './turns-drive.ts';
import { claudeUsage } from './usage.ts';

/** Claude Code. */
export const claude = claudeLike({
  name: 'claude',
  program: ['claude'],
  env: {},
  install: 'Install it with `npm install --global @anthropic-ai/claude-code` (Node 22 or newer).',
  home: (env) => `${env.HOME ?? ''}/.claude`,
});

type Whole = Required<Omit<Agent, 'server' | 'wrong' | 'configured' | 'resumesUnread'>>;

/** An agent with the command line, hooks, files and screen of Claude Code. It has every capability but `server`. */
export function claudeLike(dialect: Dialect): Whole & { readonly gate: HookGate } {
  return {
    name: dialect.name,
    program: claudeProgram(dialect),
    launch: (...given) => runLaunch(dialect, ...given),
    turns: claudeTurns,
    live: claudeLive(dialect),
    hooks: { read: reportsOf, isSameText },
    actions: claudeActions,
    gate: claudeGate,
    record: {
      ...claudeRecord,
      sources: (...given) => claudeSources(dialect, ...given),
      turns: turnReader,
    },
    usage: claudeUsage(dialect),
    conversations: claudeConversations(dialect),
    images: { turns: mentioning, live: mentioning },
    compact: { by: 'command', text: '/compact' },
    fork: true,
  };
}
