import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import { environmentOf } from '../seam/environment.ts';
import { PI_ENVIRONMENT } from './environment.ts';
import { EXTENSION, gateExtension } from './gate-extension.ts';
import { sessionFolder } from './sources.ts';
import { toolWords } from './tools.ts';

/** The name of the program on the PATH. */
export const PROGRAM = 'pi';

/** The launch plan of a run of a session. */
export function piLaunch(spec: Spec, { env: caller, umask }: CallerProcess, plan: RunPlan): Launch {
  const wanted = spec.conversation;
  assert(wanted !== undefined, 'a session of pi has a conversation');
  const env = environmentOf(PI_ENVIRONMENT, caller, wanted.envNames);
  const files = plan.ask === null ? {} : { files: [gateExtension(plan.ask)] };
  const common = { env, cwd: spec.workspace, umask, ...files };
  const words = [...conversationWords(spec, plan, env), ...settingsOf(spec), ...codeWords(spec, plan)];
  if (plan.how === 'visit') return { ...common, argv: [PROGRAM, ...words], stdin: 'open', split: false };
  const stdin = plan.promptPath === null ? 'empty' : { path: plan.promptPath };
  const images = (plan.images ?? []).map(({ path }) => `@${path}`);
  return { ...common, argv: [PROGRAM, '--mode', 'json', '--print', ...words, ...images], stdin, split: true };
}

/**
 * The conversation of the run: the same words begin it and continue it. Its folder is named too: settings of the
 * workspace could name another one, even if nobody trusts them. A copy is looked for in all folders.
 */
function conversationWords(spec: Spec, plan: RunPlan, env: Launch['env']): string[] {
  const id = idOf(plan.conversation ?? spec.conversation?.id ?? null);
  const from = plan.origin ?? spec.conversation?.forkOf ?? null;
  const isCopy = from !== null && plan.how !== 'resume' && plan.how !== 'visit';
  if (isCopy) return ['--fork', idOf(from), '--session-id', id];
  return ['--session-id', id, '--session-dir', sessionFolder(env, spec.workspace)];
}

/** Part of an id would be taken for another conversation that begins with it. */
function idOf(id: string | null): string {
  assert(id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), `a conversation id is a UUID: ${id}`);
  return id;
}

function settingsOf({ conversation }: Spec): string[] {
  const { mode = 'none', modeWord, model, thinking, args = [] } = conversation ?? {};
  const words = [...(model ? ['--model', model] : []), ...(thinking ? ['--thinking', thinking] : [])];
  return [...words, ...toolWords(mode, modeWord), ...args];
}

/**
 * The code that pi loads. Extensions of the workspace run at once, so they need trust. Behind a gate there are no
 * others than ours: any of them could add a tool that asks nobody, or change a call after it was allowed.
 */
function codeWords({ conversation }: Spec, { ask, files }: RunPlan): string[] {
  const isGated = ask?.strict ?? false;
  const trust = conversation?.trusted && !isGated ? '--approve' : '--no-approve';
  const own = ask === null ? [] : ['--extension', `${files}/${EXTENSION}`];
  return [trust, ...(isGated ? ['--no-extensions'] : []), ...own];
}
