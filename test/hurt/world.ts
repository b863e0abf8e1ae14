import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allAgents } from '../../src/agent/all.ts';
import { type KnownAgent, knownAgents } from '../../src/agent/known.ts';
import type { Session } from '../../src/client/index.ts';
import type { World } from '../world.ts';

const PROGRAM = join(import.meta.dirname, 'hurt-program.mjs');

/**
 * What a broken agent does: says nothing that makes sense; says one message of many megabytes; stops in the middle of a
 * message; ends without a word; prints binary errors and fails; never says anything; opens no conversation.
 */
type Way = 'garbage' | 'long' | 'half' | 'mute' | 'noise' | 'deaf' | 'refusal';

/** One broken agent. */
export interface Hurt {
  readonly agent: KnownAgent;
  readonly drive: 'turns' | 'live';
  readonly way: Way;
  /** Before it has opened a conversation, or with the first prompt. */
  readonly when: 'at-once' | 'in-turn';
}

/** Those that say why they open no conversation, and stay. */
const REFUSING = ['goose', 'acp', 'qwen'];
const BUILT_IN = ['codex', 'opencode', 'qwen', 'copilot', 'pi', 'gemini', 'goose', 'acp'];
const OF_TURNS: readonly Way[] = ['garbage', 'long', 'half', 'mute', 'noise'];
const OF_SERVERS: readonly Way[] = [...OF_TURNS, 'deaf'];

/** The agents of these tests. */
export const AGENTS = knownAgents(allAgents('node', (own) => `${own}.js`)).filter(({ name }) =>
  BUILT_IN.includes(name),
);

/** Every way in which every agent can be broken. */
export const ALL_HURT: readonly Hurt[] = AGENTS.flatMap((agent): Hurt[] => {
  const turns = agent.turns === undefined ? [] : OF_TURNS;
  const servers = agent.server === undefined ? [] : OF_SERVERS;
  return [
    ...turns.map((way): Hurt => ({ agent, drive: 'turns', way, when: 'at-once' })),
    ...servers.map((way): Hurt => ({ agent, drive: 'live', way, when: 'at-once' })),
    ...servers.map((way): Hurt => ({ agent, drive: 'live', way, when: 'in-turn' })),
    ...(REFUSING.includes(agent.name) ? [{ agent, drive: 'live', way: 'refusal', when: 'in-turn' } as const] : []),
  ];
});

/** The title of its test. */
export function hurtText({ agent: { name }, drive, way, when }: Hurt): string {
  return `${name} (${drive === 'live' ? 'server' : drive}) ${way}${when === 'in-turn' ? ' in a turn' : ''}`;
}

/** Puts the broken agent on a PATH. Returns the environment of a caller that has it. `bytes`: of its long message. */
export function hurtEnvironment(world: World, { agent, way, when }: Hurt, bytes: number): Record<string, string> {
  const words = [process.execPath, PROGRAM, way, when, `${bytes}`, agent.program.oldest];
  return programEnvironment(world, agent, `exec ${words.map((word) => `'${word}'`).join(' ')} "$@"`);
}

/** Puts a shell script on a PATH as the program of an agent, in a home with the settings that Outlast asks for. */
export function programEnvironment(world: World, { program }: KnownAgent, script: string): Record<string, string> {
  const [folder, home] = [join(world.state, 'bin'), join(world.state, 'home')];
  for (const each of [folder, join(home, '.gemini')]) mkdirSync(each, { recursive: true });
  writeFileSync(join(folder, program.name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, program.name), 0o755);
  const settings = { general: { sessionRetention: { enabled: false } } };
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  return { PATH: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home };
}

/** How a broken agent is given up soon. */
export const SOON = {
  startMsMax: 4_000,
  acceptMsMax: 2_000,
  resumes: { max: 1 },
  backoff: { msMin: 10, msMax: 50 },
  hang: { thinkMsMax: 2_000, toolMsMax: 2_000, interruptMsMax: 1_000 },
} as const;

/** Starts a session of it with a first prompt. */
export function startHurt(world: World, hurt: Hurt, bytes: number): Promise<Session> {
  const { agent, drive } = hurt;
  const agentArgs = agent.program.isGiven ? [agent.program.name] : [];
  const env = hurtEnvironment(world, hurt, bytes);
  const how = { agent: agent.name, drive, agentArgs, env, cwd: world.state, policy: SOON, graceMs: 200 };
  return world.client.start({ ...how, prompt: 'the prompt that must not be lost' });
}

/** The memory of a process, in megabytes. */
export function memoryMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
