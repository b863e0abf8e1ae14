import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import { environmentOf } from '../seam/environment.ts';
import { readObject } from '../seam/json.ts';
import { OPENCODE_ENVIRONMENT } from './environment.ts';
import { ASK_ALL, agentWords, permissionsOf } from './permissions.ts';

/** The name of the program on the PATH. */
export const PROGRAM = 'opencode';

/** Files with instructions, which are text for the model: they need no trust. */
const INSTRUCTIONS = ['AGENTS.md', 'CLAUDE.md'] as const;

/** The launch plan of a run of a session. */
export function opencodeLaunch(spec: Spec, { env: caller, umask }: CallerProcess, plan: RunPlan): Launch {
  const wanted = spec.conversation;
  assert(wanted !== undefined, 'a session of OpenCode has a conversation');
  const env = { ...environmentOf(OPENCODE_ENVIRONMENT, caller, wanted.envNames), ...settingsOf(spec, caller) };
  const common = { env, cwd: spec.workspace, umask };
  if (plan.how === 'visit')
    return { ...common, argv: [PROGRAM, ...wanted.args, ...screenWords(spec, plan)], stdin: 'open', split: false };
  if (spec.drive === 'server') {
    const argv = [PROGRAM, 'serve', '--port', '0', '--hostname', '127.0.0.1', ...wanted.args] as const;
    return { ...common, argv, stdin: 'empty', split: true };
  }
  const stdin = plan.promptPath === null ? 'empty' : { path: plan.promptPath };
  return { ...common, argv: [PROGRAM, ...turnWords(spec, plan)], stdin, split: true };
}

/** The arguments of a process of one turn, which reads its prompt from standard input. */
function turnWords(spec: Spec, plan: RunPlan): string[] {
  const { mode = 'none', modeWord, model, thinking, args = [] } = spec.conversation ?? {};
  const from = plan.origin ?? spec.conversation?.forkOf ?? null;
  const id = idIn(spec, plan);
  const which = plan.how === 'resume' ? ['-s', idOf(id)] : from === null ? [] : ['-s', idOf(from), '--fork'];
  return [
    ...['run', '--format', 'json'],
    // It allows what is asked; without it, that is denied. What the user denies stays denied.
    ...(mode === 'none' ? ['--auto'] : []),
    ...agentWords(modeWord),
    ...(model ? ['-m', model] : []),
    ...(thinking ? ['--variant', thinking] : []),
    ...args,
    ...which,
    ...(plan.images ?? []).map(({ path }) => `--file=${path}`),
  ];
}

/** The arguments of the screen that a person gets on a conversation between two turns. */
function screenWords(spec: Spec, plan: RunPlan): string[] {
  const model = spec.conversation?.model;
  const id = idIn(spec, plan);
  return [...(model ? ['-m', model] : []), ...(id === null ? [] : ['-s', idOf(id)])];
}

/** A conversation that was taken over is known before OpenCode has named it. */
function idIn({ conversation }: Spec, plan: RunPlan): string | null {
  return plan.conversation ?? conversation?.id ?? null;
}

function idOf(id: string | null): string {
  assert(id !== null && /^ses_\w+$/.test(id), `a conversation id begins with ses_: ${id}`);
  return id;
}

/**
 * What OpenCode may do, and which files it obeys. Config and plugins of the workspace can allow calls and run code, so
 * they need trust, and behind a gate they are shut out with those of the user.
 */
function settingsOf({ workspace, conversation }: Spec, caller: CallerProcess['env']): Readonly<Record<string, string>> {
  const { mode = 'none', trusted = false, gate } = conversation ?? {};
  const isGated = gate !== undefined;
  const permissions = isGated ? ASK_ALL : permissionsOf(mode);
  return {
    OPENCODE_PERMISSION: JSON.stringify(permissions),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    ...(isGated && { OPENCODE_PURE: '1' }),
    ...((isGated || !trusted) && {
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      ...withInstructions(workspace, caller.OPENCODE_CONFIG_CONTENT),
    }),
  };
}

/** Without the config of the workspace its instructions are not read either, unless they are named. */
function withInstructions(workspace: string, content: string | undefined): Readonly<Record<string, string>> {
  const known = content === undefined || content === '' ? {} : readObject(content);
  // It has comments, or is no JSON: the user's config stays as it is.
  if (known === null) return {};
  const given = Array.isArray(known.instructions) ? known.instructions : [];
  const instructions = [...given, ...INSTRUCTIONS.map((name) => `${workspace}/${name}`)];
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...known, instructions }) };
}
