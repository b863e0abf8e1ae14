import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Agent } from '../agent/seam/agent.ts';
import type { Program } from '../agent/seam/program.ts';
import { OutlastError } from '../base/errors.ts';
import { onPath } from '../base/on-path.ts';
import type { Launch } from '../core/launch.ts';

type Named = Pick<Program, 'name' | 'natives' | 'install'>;

/**
 * The program that is started for an agent: what is on the PATH, or the agent itself where that is a script of a
 * package manager. Null: it is not on the PATH. A script without its agent is an error.
 */
export function nativeProgram({ name, natives, install }: Named, path: string): string | null {
  const found = isAbsolute(name) ? name : onPath(name, path);
  if (found === null || natives === undefined || !existsSync(found)) return found;
  const candidates = natives(realpathSync(found));
  const native = candidates.length === 0 ? found : candidates.find((each) => existsSync(each));
  if (native !== undefined) return native;
  const why = `${found} is a script, and the program that it starts is not installed`;
  throw new OutlastError('agent_missing', `${why} (${candidates[0]}). ${install}`);
}

/**
 * The launch of a run, as the adapter plans it. A mistake of an adapter costs its own session a run: it must not end
 * the daemon, which would meet it again at every start.
 */
export function plannedLaunch(agent: Agent, ...[spec, caller, plan]: Parameters<Agent['launch']>): Launch {
  try {
    return nativeLaunch(agent, agent.launch(spec, caller, plan));
  } catch (cause) {
    if (cause instanceof OutlastError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OutlastError('internal', `cannot plan a run of ${agent.name}: ${why}`, { cause });
  }
}

/** A launch that starts the agent itself, not a script that would start it as a child. */
export function nativeLaunch({ program }: Pick<Agent, 'program'>, launch: Launch): Launch {
  const [first, ...words] = launch.argv;
  if (program?.natives === undefined || first !== program.name) return launch;
  const path = launch.env.PATH ?? '';
  return { ...launch, argv: [...commandOf(nativeProgram(program, path) ?? first, path), ...words] };
}

/** The command that runs a program. A file for Node that a package does not start itself need not be executable. */
export function commandOf(program: string, path: string): readonly [string, ...string[]] {
  return program.endsWith('.js') ? [onPath('node', path) ?? process.execPath, program] : [program];
}
