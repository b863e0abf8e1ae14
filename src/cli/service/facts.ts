import { stateFolder } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { daemonEnvironment, daemonProgram } from '../../client/start-daemon.ts';
import { lastingNode } from './own-node.ts';
import type { Facts } from './plan.ts';
import { runQuietly } from './run-quietly.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of one login session, which differ at the next. */
const PASSING = /^(DISPLAY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|XDG_(RUNTIME_DIR|SESSION_.*|SEAT|VTNR))$/;

/** As `src/web/port.ts` has it. */
const WEB_PORT = 7717;

/** systemd runs in any of these states; "offline" means that it does not. */
const IS_THERE = /^(initializing|starting|running|degraded|maintenance|stopping)$/;

/** Reads the facts about this machine. */
export function readFacts(env: Environment): Facts {
  const { username: user, uid, homedir } = process.getBuiltinModule('node:os').userInfo();
  const home = env.HOME || homedir;
  const state = stateFolder(env);
  return {
    platform: process.platform,
    user,
    uid,
    home,
    configHome: configHomeOf(env),
    state,
    suffix: suffixOf(env),
    node: lastingNode(env),
    daemon: daemonProgram(env),
    cli: fs.realpathSync(process.argv[1] ?? ''),
    env: lastingEnvironment(env, state),
    systemd: systemdOf(env),
    lingers: fs.existsSync(`/var/lib/systemd/linger/${user}`),
    busMonitor: isOnPath(env, 'dbus-monitor') ? 'dbus-monitor' : isOnPath(env, 'gdbus') ? 'gdbus' : null,
    crontab: isOnPath(env, 'crontab'),
    ipv6: fs.existsSync('/proc/net/if_inet6') && fs.readFileSync('/proc/net/if_inet6', 'utf8') !== '',
    webPort: webPortOf(state),
  };
}

/** The user's config folder. */
export function configHomeOf(env: Environment): string {
  return env.XDG_CONFIG_HOME || path.join(env.HOME || process.getBuiltinModule('node:os').homedir(), '.config');
}

/** Distinguishes the state folders of a user; empty for the default one. */
export function suffixOf(env: Environment): string {
  const { OUTLAST_STATE: _, ...usual } = env;
  const state = stateFolder(env);
  return state === stateFolder(usual) ? '' : `-${shortHash(state)}`;
}

function lastingEnvironment(env: Environment, state: string): Record<string, string> {
  const all = Object.entries(daemonEnvironment(env, state));
  // A value with a line end cannot be written to all of these files.
  const kept = all.filter(([name, value]) => !PASSING.test(name) && !/[\0-\x1f]/.test(value));
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function systemdOf(env: Environment): true | string {
  if (!isOnPath(env, 'systemctl')) return 'systemctl is not installed';
  const { status, stdout, stderr } = runQuietly(['systemctl', '--user', 'is-system-running'], env);
  const word = stdout.trim();
  if (IS_THERE.test(word)) return true;
  return `systemctl --user says: ${stderr.trim().split('\n')[0] || word || `status ${status}`}`;
}

/** The port that signed-in browsers know, or the one that a first start takes. */
function webPortOf(state: string): number {
  const file = path.join(state, 'web', 'port');
  return Number(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : WEB_PORT) || WEB_PORT;
}

function isOnPath({ PATH = '' }: Environment, name: string): boolean {
  return PATH.split(path.delimiter).some((folder) => folder !== '' && fs.existsSync(path.join(folder, name)));
}

function shortHash(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, 8);
}
