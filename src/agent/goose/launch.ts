import type { Launch, LaunchFile } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';

type Env = Readonly<Record<string, string>>;

/** What Goose may do without asking, by its own word. A conversation keeps it, so a run always sets it. */
export function gooseMode(isGated: boolean): 'approve' | 'auto' {
  return isGated ? 'approve' : 'auto';
}

/**
 * The launch plan of a run. Goose loads plugins, which may be code, from the folder that its process is started in; its
 * tools run in the folder that a message names. So without trust it is started elsewhere.
 */
export function gooseLaunch(launch: Launch, { conversation }: Spec, plan: RunPlan): Launch {
  const isGated = conversation?.gate !== undefined;
  const env = { ...launch.env, GOOSE_MODE: gooseMode(isGated) };
  if (!isGated) return { ...launch, env, cwd: conversation?.trusted ? launch.cwd : plan.folder };
  const root = { GOOSE_PATH_ROOT: plan.files };
  return { ...launch, env: { ...env, ...root }, cwd: plan.folder, files: privateRoot(launch.env) };
}

/**
 * Goose makes a call without a question if the user once allowed its tool for ever, and so do its sub-agents with every
 * call.
 */
const PERMISSIONS = 'user:\n  always_allow: []\n  ask_before: []\n  never_allow:\n    - delegate\n';

/** The files of a root for one run: the settings, keys and conversations of the user, without what they allowed. */
function privateRoot(env: Env): readonly LaunchFile[] {
  const { config, data } = gooseFolders(env);
  return [
    { name: 'config/permission.yaml', text: PERMISSIONS },
    // Goose writes to its settings, for example which plugins it has found.
    { name: 'config/config.yaml', copyOf: `${config}/config.yaml` },
    { name: 'config/secrets.yaml', linkTo: `${config}/secrets.yaml` },
    { name: 'config/custom_providers', linkTo: `${config}/custom_providers`, makes: 'folder' },
    { name: 'data', linkTo: data, makes: 'folder' },
  ];
}

/** Where Goose keeps its settings and its conversations. */
export function gooseFolders(env: Env): { readonly config: string; readonly data: string } {
  const { HOME = '', GOOSE_PATH_ROOT: root, XDG_CONFIG_HOME: config, XDG_DATA_HOME: data } = env;
  if (root) return { config: `${root}/config`, data: `${root}/data` };
  return { config: `${config || `${HOME}/.config`}/goose`, data: `${data || `${HOME}/.local/share`}/goose` };
}
