import { connect, type Outlast } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { ownerOf } from '../../client/owner.ts';
import type { Context } from '../base/command.ts';

type Env = Context['env'];

/** A daemon of its own, in a folder of its own, with the agents of the user's config. */
export interface Place {
  readonly outlast: Outlast;
  readonly clock: Context['clock'];
  /** An empty folder for the agent to work in. */
  readonly workspace: string;
  /** Restores what a message says about the config: it names the copy. */
  named(text: string): string;
  /** Stops the daemon; the next call starts another one. */
  restart(): Promise<void>;
  /** Ends every session, stops the daemon and removes the folder. */
  close(): Promise<void>;
}

/** The keys of the config that decide how an agent is run. Others would send notices, or resume conversations. */
const KEYS = ['agents', 'models', 'pathPrepend', 'shell', 'policy'];

/** Makes such a place. Nothing of the user's state is read or changed. */
export function makePlace({ env, clock }: Pick<Context, 'env' | 'clock'>): Place {
  const folder = fs.mkdtempSync(path.join(process.getBuiltinModule('node:os').tmpdir(), 'outlast-test-'));
  const [state, workspace, config] = ['state', 'workspace', 'config.json'].map((name) => path.join(folder, name));
  if (state === undefined || workspace === undefined || config === undefined) throw new Error('three names');
  fs.mkdirSync(workspace);
  fs.writeFileSync(config, JSON.stringify(copied(configFile(env))), { mode: 0o600 });
  const own = { ...env, OUTLAST_STATE: state, OUTLAST_CONFIG: config, OUTLAST_RUN: undefined };
  const outlast = connect({ state, env: own });
  const restart = (): Promise<void> => stopDaemon(outlast, state, clock);
  return {
    outlast,
    clock,
    workspace,
    named: (text) => text.replaceAll(config, configFile(env)),
    restart,
    async close() {
      for (const { id } of (await outlast.list({})).sessions) await outlast.stop({ session: id, graceMs: 0 });
      await restart();
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** The config of the user. */
function configFile(env: Env): string {
  const folder = env.XDG_CONFIG_HOME || path.join(env.HOME || '/', '.config');
  return env.OUTLAST_CONFIG || path.join(folder, 'outlast', 'config.json');
}

function copied(file: string): object {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '{}';
  const all: Record<string, unknown> = JSON.parse(text);
  const kept = Object.entries(all).filter(([key]) => KEYS.includes(key));
  return { ...Object.fromEntries(kept), boot: { foreign: 'off' } };
}

const LOOK_MS = 20;

async function stopDaemon(outlast: Outlast, state: string, clock: Context['clock']): Promise<void> {
  await outlast.stopDaemon();
  while (ownerOf(state) !== null) await clock.sleep(LOOK_MS);
}
