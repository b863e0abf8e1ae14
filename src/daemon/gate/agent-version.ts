import type { Program } from '../../agent/seam/program.ts';
import type { Clock } from '../../base/clock.ts';
import { run } from '../../base/spawn.ts';
import { commandOf, nativeProgram } from '../../supervisor/native-program.ts';
import { findOnPath } from '../config/config.ts';

/** The path of a program, and its version; null: not known. */
export interface FoundProgram {
  readonly path: string;
  readonly version: string | null;
}

/** Finds the program of an agent and asks for its version; null: it is not on the PATH. */
export async function findProgram(
  agent: Pick<Program, 'name' | 'natives' | 'install' | 'versionArgs'>,
  { clock, path }: { readonly clock: Clock; readonly path: string },
): Promise<FoundProgram | null> {
  const program = programOf(agent, path);
  if (program === null) return null;
  const asked = await run([...commandOf(program, path), ...agent.versionArgs], { clock, env: { PATH: path } });
  const said = asked.end === 'exited' ? /\d+(\.\d+)+/.exec(asked.stdout.toString())?.[0] : undefined;
  return { path: program, version: said ?? null };
}

/** The program of an agent, in the caller's PATH or in ours; null: it is in neither. */
export function programOf({ name, natives, install }: Pick<Program, 'name' | 'natives' | 'install'>, path: string) {
  const found = findOnPath(name, path);
  return found === null ? null : nativeProgram({ name: found, install, ...(natives && { natives }) }, path);
}

/** Is this version older than that one? */
export function isOlder(version: string, than: string): boolean {
  const numbers = (text: string): number[] => text.split('.').map(Number);
  const [mine, theirs] = [numbers(version), numbers(than)];
  const difference = theirs.map((number, i) => (mine[i] ?? 0) - number).find((number) => number !== 0) ?? 0;
  return difference < 0;
}
