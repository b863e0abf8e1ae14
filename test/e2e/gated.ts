import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalView } from '../../src/client/index.ts';
import { PROBE } from '../../src/daemon/gate/gates.ts';
import { eventually } from '../eventually.ts';
import { type Ran, World, type WorldOptions } from '../world.ts';

/** A person with their own home and workspace, and agents behind a gate in it. */
export interface Person {
  readonly home: string;
  readonly workspace: string;
  cli(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran>;
  /** Starts a session with these steps; returns its id. */
  start(steps: readonly object[], ...words: string[]): Promise<string>;
  /** Waits for the only pending approval of a session. */
  pendingApproval(session: string): Promise<ApprovalView>;
  /** Waits until the session has ended. */
  waitForEnd(session: string): Promise<Ran>;
  /** The content of a file of the workspace; null: it does not exist. */
  file(name: string): string | null;
}

/**
 * A world in which the gate of the scripted agent counts as proven: the probe has its own tests, and would run again
 * for each daemon.
 */
export async function gatedWorld(options: WorldOptions = {}): Promise<World> {
  const world = new World(options);
  writeFileSync(join(world.state, 'gates.json'), scriptedProof());
  await world.start();
  return world;
}

/** What a gate probe of the scripted agent stores. */
export function scriptedProof(): string {
  const files = [process.execPath, join(import.meta.dirname, '../../dist/scripted.js')];
  const identity = files.map((file) => {
    const { size, mtimeMs, ino } = statSync(file);
    return `${realpathSync(file)} ${size} ${mtimeMs} ${ino}`;
  });
  const proof = { denies: true, allows: true, why: '', version: 'tried', by: 'hook', probe: PROBE };
  return JSON.stringify({ [identity.join('\n')]: proof });
}

/** A person in this world. */
export function person(world: World, name: string): Person {
  const home = join(world.state, 'homes', name);
  const workspace = join(home, 'workspace');
  mkdirSync(workspace, { recursive: true });
  const cli = (words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
    world.cli(words, { cwd: workspace, env: { HOME: home, USER: name, ...env } });
  return {
    home,
    workspace,
    cli,
    start: async (steps, ...words) => {
      const script = `SCRIPT${JSON.stringify({ steps })}SCRIPT`;
      const ran = await cli(['start', '--agent', 'scripted', '--end', ...words, script]);
      if (ran.status !== 0) throw new Error(ran.stderr);
      return ran.stdout.trim();
    },
    pendingApproval: (session) =>
      eventually(
        async () => {
          const [first, second] = await world.client.approvals.list({ session });
          return second === undefined && first !== undefined ? first : false;
        },
        { what: `an approval of ${session}` },
      ) as Promise<ApprovalView>,
    waitForEnd: (session) => cli(['wait', session, '--for', 'ended', '--timeout', '30s']),
    file: (file) => {
      const path = join(workspace, file);
      return existsSync(path) ? readFileSync(path, 'utf8') : null;
    },
  };
}

/** A step in which the agent runs a command. */
export function bash(command: string): object {
  return { tool: 'Bash', input: { command, description: 'x' } };
}
