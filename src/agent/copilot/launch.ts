import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import { environmentOf } from '../seam/environment.ts';
import type { AskPlan } from '../seam/gate.ts';
import { COPILOT_ENVIRONMENT } from './environment.ts';
import { privateHome } from './home.ts';
import { copilotHome } from './sources.ts';

/** The name of the program on the PATH. */
export const PROGRAM = 'copilot';

/** The launch plan of a run of a session. */
export function copilotLaunch(spec: Spec, { env: caller, umask }: CallerProcess, plan: RunPlan): Launch {
  const wanted = spec.conversation;
  assert(wanted !== undefined, 'a session of Copilot has a conversation');
  // Another version could be downloaded and started instead of the one that was tested.
  const env = { ...environmentOf(COPILOT_ENVIRONMENT, caller, wanted.envNames), COPILOT_AUTO_UPDATE: 'false' };
  const place = { cwd: spec.workspace, umask };
  const common = plan.ask === null ? { ...place, env } : { ...place, ...askingHome(env, plan, plan.ask) };
  const words = [conversationWord(spec, plan), ...settingsOf(spec, plan.ask?.strict ?? false)];
  if (plan.how === 'visit') return { ...common, argv: [PROGRAM, ...words], stdin: 'open', split: false };
  const stdin = plan.promptPath === null ? 'empty' : { path: plan.promptPath };
  // There is nobody to answer a question of the model.
  const images = (plan.images ?? []).map(({ path }) => `--attachment=${path}`);
  const turn = ['--output-format', 'json', '--no-ask-user', ...words, ...images];
  return { ...common, argv: [PROGRAM, ...turn], stdin, split: true };
}

/** Hooks are read from the home of Copilot, so a run that asks has one of its own. */
function askingHome(env: Launch['env'], { files }: RunPlan, ask: AskPlan): Pick<Launch, 'env' | 'files'> {
  return { env: { ...env, COPILOT_HOME: files }, files: privateHome(copilotHome(env), ask) };
}

/** A conversation that is resumed must be there: otherwise another one would be begun under its id. */
function conversationWord(spec: Spec, { how, conversation }: RunPlan): string {
  const id = conversation ?? spec.conversation?.id ?? null;
  assert(id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), `a conversation id is a UUID: ${id}`);
  const isKnown = how === 'resume' || (how === 'visit' && conversation !== null);
  return isKnown ? `--resume=${id}` : `--session-id=${id}`;
}

/**
 * Behind a gate nothing is allowed but what our hook allows, and no servers are started that nobody asked for. A
 * conversation that could not do everything before it was taken over gets no more: what it would ask is denied.
 */
function settingsOf({ conversation }: Spec, isGated: boolean): string[] {
  const { mode = 'none', model, thinking, args = [] } = conversation ?? {};
  return [
    ...(model ? ['--model', model] : []),
    ...(thinking ? ['--reasoning-effort', thinking] : []),
    ...(isGated ? ['--disable-builtin-mcps'] : mode === 'none' ? ['--allow-all'] : []),
    ...args,
  ];
}
