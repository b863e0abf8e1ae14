import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import { type Environment, environmentOf } from '../seam/environment.ts';
import { socketPath, type Wire } from '../seam/server.ts';

/** The variables that echo gets from its caller's environment. */
export const ECHO_ENVIRONMENT: Environment = { passes: ['ECHO_*'], never: [], home: 'ECHO_HOME' };

/** The folder where echo keeps its files. */
export function homeOf(env: Readonly<Record<string, string>>): string {
  return env.ECHO_HOME ?? `${env.HOME ?? ''}/.outlast-echo`;
}

/** The command that starts echo. */
export interface EchoWords {
  readonly program: readonly [string, ...string[]];
  readonly wire: Wire;
}

/** The launch plan of a run of a session. */
export function echoLaunch(words: EchoWords, spec: Spec, { env, umask }: CallerProcess, plan: RunPlan): Launch {
  assert(spec.conversation !== undefined, 'a session of echo has a conversation');
  const [first, ...rest] = words.program;
  const { args: extra, envNames } = spec.conversation;
  const common = { env: environmentOf(ECHO_ENVIRONMENT, env, envNames), cwd: spec.workspace, umask };
  if (spec.drive === 'server' && plan.how !== 'visit') {
    const stdin = words.wire.over === 'stdio' ? 'messages' : 'empty';
    return { ...common, argv: [first, ...rest, ...serverWords(words.wire, plan), ...extra], stdin, split: true };
  }
  const isTurn = spec.drive === 'turns' && plan.how !== 'visit';
  const argv = [
    first,
    ...rest,
    ...(isTurn ? ['--turn'] : []),
    '--hook',
    plan.hook,
    ...conversationWords(plan),
    ...extra,
  ] as const;
  const stdin = !isTurn ? 'open' : plan.promptPath === null ? 'empty' : { path: plan.promptPath };
  return { ...common, argv, stdin, split: isTurn };
}

/** The arguments of a server process. The conversation is named in the first message. */
function serverWords(wire: Wire, { folder }: RunPlan): string[] {
  return ['--server', wire.over, ...(wire.over === 'websocket' ? ['--socket', socketPath(folder, wire)] : [])];
}

function conversationWords({ how, conversation }: RunPlan): string[] {
  if (conversation === null) return [];
  return [how === 'resume' || how === 'visit' ? '--resume' : '--conversation', conversation];
}
