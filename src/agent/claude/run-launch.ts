import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import type { Dialect } from './dialect.ts';
import { hookSettings } from './hook-settings.ts';
import { type ConversationPlan, claudeLaunch } from './launch.ts';

/** The launch plan of a run of a session. */
export function runLaunch(dialect: Dialect, spec: Spec, { env, umask }: CallerProcess, plan: RunPlan): Launch {
  const wanted = spec.conversation;
  assert(wanted !== undefined, `a session of ${dialect.name} has a conversation`);
  const isLive = spec.drive === 'live' || plan.how === 'visit';
  const [program, ...words] = dialect.program;
  const made = claudeLaunch({
    program,
    drive: isLive ? 'live' : 'turns',
    conversation: conversationPlan(spec, plan),
    // Behind a gate every call is asked about, whatever the conversation had before.
    ...(plan.ask?.strict
      ? { mode: 'ask-all', modeWord: null }
      : { mode: wanted.mode ?? 'none', modeWord: wanted.modeWord ?? null }),
    settings: hookSettings(plan.hook, isLive ? 'live' : 'turns', plan),
    isGated: plan.ask?.strict ?? false,
    permissionServer: isLive ? null : permissionServerOf(plan),
    model: wanted.model,
    thinking: wanted.thinking ?? null,
    extra: wanted.args,
    env,
    envNames: wanted.envNames,
  });
  assert(made.ok, 'arguments are checked when a session is started');
  const [first, ...rest] = made.argv;
  return {
    argv: [first, ...words, ...rest],
    // The only way to trust a folder that leaves no trace in the person's settings.
    env: { ...made.env, ...dialect.env, ...(wanted.trusted ? { CLAUDE_CODE_SANDBOXED: '1' } : {}) },
    cwd: spec.workspace,
    umask,
    stdin: isLive ? 'open' : plan.promptPath === null ? 'empty' : { path: plan.promptPath },
    split: !isLive,
  };
}

/** The permission server gets the command that asks for a confirmation. */
function permissionServerOf({ ask }: RunPlan): readonly [string, ...string[]] | null {
  return ask?.permissionServer ? [...ask.permissionServer, ask.confirm] : null;
}

function conversationPlan(spec: Spec, plan: RunPlan): ConversationPlan {
  const id = plan.conversation ?? spec.conversation?.id ?? '';
  if (plan.how === 'resume' || (plan.how === 'visit' && plan.conversation !== null)) return { is: 'resume', id };
  const from = plan.origin ?? spec.conversation?.forkOf ?? null;
  return from === null ? { is: 'new', id } : { is: 'fork', from, id };
}
