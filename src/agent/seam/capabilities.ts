import type { Agent, ReadAgent } from './agent.ts';

/** What an agent may be able to do, and what that is for. */
export const CAPABILITIES = {
  turns: 'one process per turn',
  live: 'its own screen, into which prompts are typed',
  server: 'stays between turns and is driven by messages',
  hooks: 'reports what happens in it',
  actions: 'what its tool calls would do is known, so rules can decide about them',
  gate: 'asks before every tool call',
  record: 'its conversation can be read where it writes it down',
  usage: 'what a session uses up is counted',
  conversations: 'conversations that others began are found after a boot',
  images: 'a prompt can have images',
  compact: 'a conversation that is too long is shortened',
  fork: 'a conversation can continue as a copy',
} as const satisfies Partial<Record<keyof Agent, string>>;

export type Capability = keyof typeof CAPABILITIES;

/** All of them, in the order in which they are listed. */
export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as readonly Capability[];

/** Those that this agent has. */
export function capabilitiesOf(agent: Agent | ReadAgent): readonly Capability[] {
  return CAPABILITY_NAMES.filter((name) => agent[name] !== undefined);
}
