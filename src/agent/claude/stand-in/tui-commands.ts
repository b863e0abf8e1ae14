import { randomUUID } from 'node:crypto';
import type { Agent } from './agent.ts';
import { stopHook } from './subagent.ts';
import { runBash } from './tool-bash.ts';

const SUMMARY = 'What was said before, in short.';
const SHELL_MS_MAX = 120_000;

/** Plays `/compact`: the hooks in the same order as the real agent, two of them spurious. */
export async function compact(agent: Agent): Promise<void> {
  const { conversation, parts } = agent;
  conversation.promptId = randomUUID();
  parts.state.set('busy');
  await agent.hook('PreCompact', { trigger: 'manual', custom_instructions: null }, 'manual');
  for (let i = 0; i < 2; i++) await stopHook(agent, {}, SUMMARY);
  conversation.system('compact_boundary', {
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'manual' },
  });
  conversation.prompt(SUMMARY, { isCompactSummary: true });
  await agent.hook('SessionStart', { source: 'compact', model: parts.options.model }, 'compact');
  await agent.hook('PostCompact', { trigger: 'manual', compact_summary: SUMMARY }, 'manual');
  parts.state.set('idle');
}

/** Runs a command that a person typed with `!` and returns its output. It calls no hook. */
export async function shell(agent: Agent, command: string, signal: AbortSignal): Promise<string> {
  const { conversation, parts } = agent;
  conversation.promptId = randomUUID();
  conversation.prompt(`<bash-input>${command}</bash-input>`);
  const call = { command, cwd: parts.cwd, env: agent.childEnv(), msMax: SHELL_MS_MAX };
  const { stdout, stderr } = await runBash(call, parts.clock, signal);
  conversation.prompt(`<bash-stdout>${stdout}</bash-stdout><bash-stderr>${stderr}</bash-stderr>`);
  return [stdout, stderr].filter((part) => part !== '').join('\n');
}

/** True for the words that exit the agent without a slash. */
export function isLeaving(text: string): boolean {
  return /^(exit|quit|:q!?|:wq!?)$/.test(text.trim());
}
