import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { makeWorld, type World } from '../world.ts';

/** The program of these tests that behaves like `llm`, as a command line. */
export const LLM = [process.execPath, join(import.meta.dirname, 'llm-like.mjs')] as const;

/** The program of these tests that speaks the Agent Client Protocol. */
export const ACP = [process.execPath, join(import.meta.dirname, 'acp-like.mjs')] as const;

/** The entry of the config for the first one. */
export const LLM_ENTRY = {
  turn: [...LLM, '--cid', '{conversation}'],
  resume: [...LLM, '-c', '--cid', '{conversation}'],
  model: ['-m', '{model}'],
  version: [LLM[1], '--version'],
  trouble: { limited: 'rate limit', login: '[Nn]o key found' },
} as const;

/** A daemon whose config names these agents. */
export function worldWith(agents: Readonly<Record<string, unknown>>, config: object = {}): Promise<World> {
  return makeWorld({ config: { agents, ...config } });
}

/** Starts a session, and returns its id. */
export async function started(world: World, args: readonly string[]): Promise<string> {
  const ran = await world.cli(['start', ...args, '--json']);
  if (ran.status !== 0) throw new Error(`${ran.stdout}${ran.stderr}`);
  const { session } = JSON.parse(ran.stdout) as { session: { id: string } };
  return session.id;
}

/** Waits until a session is in this phase, and returns what `show` says about it. */
export function shownIn(world: World, id: string, phase: string): Promise<string> {
  const look = async (): Promise<string | null> => {
    const { stdout } = await world.cli(['show', id, '--json']);
    return (JSON.parse(stdout) as { session: { phase: string } }).session.phase === phase ? stdout : null;
  };
  return eventually(look, { what: `a session that is ${phase}`, msMax: 30_000 });
}
