import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import { environmentOf } from '../seam/environment.ts';
import { socketPath } from '../seam/server.ts';
import { CODEX_ENVIRONMENT } from './environment.ts';
import { privateHome } from './home.ts';
import { sandboxOf } from './modes.ts';
import { CODEX_WIRE } from './server.ts';
import { codexHome } from './sources.ts';

/** The name of the program on the PATH. */
export const PROGRAM = 'codex';

/** The launch plan of a run of a session. */
export function codexLaunch(spec: Spec, { env: caller, umask }: CallerProcess, plan: RunPlan): Launch {
  const wanted = spec.conversation;
  assert(wanted !== undefined, 'a session of Codex has a conversation');
  const env = environmentOf(CODEX_ENVIRONMENT, caller, wanted.envNames);
  const common = { env, cwd: spec.workspace, umask };
  if (plan.how === 'visit' || spec.drive === 'live')
    return { ...common, argv: [PROGRAM, ...screenWords(spec, plan)], stdin: 'open', split: false };
  if (spec.drive === 'server') {
    const listen = ['--listen', `unix://${socketPath(plan.folder, CODEX_WIRE)}`];
    const server = { ...common, argv: [PROGRAM, 'app-server', ...listen, ...wanted.args] as const, split: true };
    if (wanted.gate === undefined) return { ...server, stdin: 'empty' };
    const files = privateHome(codexHome(env));
    return { ...server, stdin: 'empty', files, env: { ...env, CODEX_HOME: plan.files } };
  }
  const stdin = plan.promptPath === null ? 'empty' : { path: plan.promptPath };
  return { ...common, argv: [PROGRAM, ...turnWords(spec, plan)], stdin, split: true };
}

/** The arguments of a process of one turn, which reads its prompt from standard input. */
function turnWords(spec: Spec, plan: RunPlan): string[] {
  // With a blank instead of `=` it would take all words after it for images.
  const images = (plan.images ?? []).map(({ path }) => `--image=${path}`);
  const settings = [...settingsOf(spec), ...trustOf(spec), ...images];
  return ['exec', '--json', '--skip-git-repo-check', ...settings, ...whichOf(spec, plan), '-'];
}

/** The arguments of its screen. Without them Codex would share a server with other screens of the user. */
function screenWords(spec: Spec, plan: RunPlan): string[] {
  // The person there decides about the folder, unless the caller has: of a folder that is said to be untrusted Codex
  // asks each time.
  const trust = spec.conversation?.trusted ? trustOf(spec) : [];
  const which = plan.how === 'visit' && plan.conversation === null ? [] : whichOf(spec, plan);
  return ['--no-daemon', ...settingsOf(spec), ...trust, ...which];
}

/** The conversation to continue or to copy; none: a new one. */
function whichOf(spec: Spec, plan: RunPlan): string[] {
  // A conversation that was taken over is known before its first run.
  const id = plan.conversation ?? spec.conversation?.id ?? null;
  if (plan.how === 'resume' || plan.how === 'visit') return ['resume', idOf(id)];
  const from = plan.origin ?? spec.conversation?.forkOf ?? null;
  return from === null ? [] : ['fork', idOf(from)];
}

/** An id that is not a whole UUID would be taken for a name, and an unknown name begins a new conversation. */
function idOf(id: string | null): string {
  assert(id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), `a conversation id is a UUID: ${id}`);
  return id;
}

function settingsOf({ conversation }: Spec): string[] {
  const { mode = 'none', modeWord = null, model, thinking, args = [] } = conversation ?? {};
  const settings = {
    approval_policy: 'never',
    sandbox_mode: sandboxOf(mode, modeWord),
    ...(model && { model }),
    ...(thinking && { model_reasoning_effort: thinking }),
  };
  const words = Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [...words.flatMap((word) => ['-c', word]), ...args];
}

/** Whether settings of the folder are read. Codex would otherwise trust every folder that it may write to. */
function trustOf({ workspace, conversation }: Spec): string[] {
  const level = conversation?.trusted ? 'trusted' : 'untrusted';
  return ['-c', `projects={${JSON.stringify(workspace)}={trust_level="${level}"}}`];
}
