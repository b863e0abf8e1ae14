import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { makeWorld, type World } from '../world.ts';

/** The program of these tests that behaves like `llm`, as a command line. */
export const LLM = [process.execPath, join(import.meta.dirname, 'llm-like.mjs')] as const;

/** The program of these tests that speaks the Agent Client Protocol. */
export const ACP = [process.execPath, join(import.meta.dirname, 'acp-like.mjs')] as const;

/** The example of the guide for a program like `llm`, with the program of these tests. */
export const LLM_ENTRY = { ...guideEntry('llm', LLM), version: [LLM[1], '--version'] };

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

const AIDER = [process.execPath, join(import.meta.dirname, 'aider-like.mjs')] as const;

/** The example of the guide for a program like `aider`, with the program of these tests: turns, history and screen. */
export const AIDER_ENTRY = { ...guideEntry('aider', AIDER), version: [AIDER[1], '--version'] };

/** An example of docs/guides/any-cli.md, in which this program is replaced. */
function guideEntry(program: string, words: readonly string[]): Readonly<Record<string, unknown>> {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/any-cli.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text));
  const found = blocks.map((block) => block.agents?.[program] ?? block).find((block) => block.turn?.[0] === program);
  if (found === undefined) throw new Error(`the guide has no example of ${program}`);
  const isLine = (value: unknown): value is string[] => Array.isArray(value) && value[0] === program;
  return JSON.parse(JSON.stringify(found, (_, value) => (isLine(value) ? [...words, ...value.slice(1)] : value)));
}
