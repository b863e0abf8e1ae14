import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownAgent } from '../../agent/known.ts';
import type { Agent, RunPlan } from '../../agent/seam/agent.ts';
import type { AskPlan, HookGate } from '../../agent/seam/gate.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/files.ts';
import { quotedWord } from '../../base/shell-word.ts';
import { run } from '../../base/spawn.ts';
import { writeLaunchFiles } from '../../terminal/launch-files.ts';
import { inOpenedFolder } from './opened-folder.ts';
import { HOOK_CALLS, judge, OPENED, PROBE_MS_MAX, type ProbeResult, traceOf } from './probe-calls.ts';
import { startModel } from './probe-model.ts';
import { trustingSpec } from './probe-spec.ts';
import { writeOpeners } from './write-openers.ts';

/** An agent that asks by hooks, with what is needed to try that. */
export type HookingAgent = KnownAgent & Required<Pick<Agent, 'turns'>> & { readonly gate: HookGate };

export interface GateProbeParts {
  readonly state: string;
  readonly clock: Clock;
  /** The PATH of the caller. */
  readonly path: string;
  /** What asks instead of its hooks; null: the hooks do. */
  readonly permissionServer: AskPlan['permissionServer'];
}

const HOOK_SECONDS_MAX = 5;

/** Answers by what is asked: $1 is a no, $2 a yes. */
const HOOK = `payload=$(cat)
case $payload in
  *touch\\ outlast-denied*) printf '%s\\n' "$1" ;;
  *touch\\ outlast-failed*) exit 1 ;;
  *touch\\ outlast-garbage*) printf '{"allow":tru' ;;
  *touch\\ outlast-killed*) kill -9 $$ ;;
  *touch\\ outlast-allowed*) printf '%s\\n' "$2" ;;
esac
`;

/**
 * Makes an agent try calls that must be denied and one that must be allowed, in a private home and against a local
 * model, without a person. Its gate behaves the same with every model.
 */
export function probeGate(parts: GateProbeParts, agent: HookingAgent): Promise<ProbeResult> {
  return inOpenedFolder(agent.gate, (isOpened) => tryOut(parts, agent, isOpened));
}

async function tryOut(parts: GateProbeParts, agent: HookingAgent, isOpened: boolean): Promise<ProbeResult> {
  const folder = join(parts.state, `probe.${process.pid}.${agent.name}`);
  const inside = (name: string): string => join(folder, name);
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  for (const name of ['home', 'workspace']) mkdirSync(inside(name));
  writeFileSync(inside('hook.sh'), HOOK);
  const probe = agent.gate.probe(HOOK_CALLS);
  const model = await startModel(probe);
  try {
    const home = inside('home');
    const env = { PATH: parts.path, HOME: home, SHELL: '/bin/sh', ...agent.program.alone(home, model.url) };
    writeLaunchFiles(home, { files: agent.program.aloneFiles?.(model.url ?? '') ?? [] });
    const workspace = inside('workspace');
    if (isOpened && agent.gate.openers)
      writeOpeners(agent.gate.openers, { workspace, env, trace: join(workspace, traceOf(OPENED)) });
    const spec = trustingSpec(agent, workspace);
    const plan = planIn(folder, askPlan(inside('hook.sh'), parts, agent));
    const launch = agent.launch(spec, { env, umask: 0o077 }, plan);
    writeLaunchFiles(inside('files'), launch);
    const ran = await run(launch.argv, {
      clock: parts.clock,
      env: launch.env,
      cwd: launch.cwd,
      input: Buffer.from(probe.prompt),
      msMax: PROBE_MS_MAX,
    });
    const output = ran.end === 'exited' ? ran.stdout.toString() : '';
    const isMade = (name: string): boolean => existsSync(join(workspace, traceOf(name)));
    return judge({
      isMade,
      expected: Number(isMade('allowed')),
      seen: agent.gate.seenCalls(output),
      isOver: readWhole(agent.turns.stream, output)(parts.clock.wallMs())?.turn === 'closed',
    });
  } finally {
    model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
  }
}

function planIn(folder: string, ask: AskPlan): RunPlan {
  const files = join(folder, 'files');
  const fresh = { how: 'launch', conversation: null, origin: null, promptPath: null } as const;
  return { ...fresh, folder, files, hook: 'true', tell: null, ask };
}

function askPlan(hook: string, { permissionServer }: GateProbeParts, { gate }: HookingAgent): AskPlan {
  const command = (confirms: boolean): string => {
    const answers = (['deny', 'allow'] as const).map((say) => gate.answer({ say, why: 'probe', confirms }));
    return ['sh', hook, ...answers].map(quotedWord).join(' ');
  };
  return {
    command: command(false),
    confirm: command(true),
    secondsMax: HOOK_SECONDS_MAX,
    strict: true,
    permissionServer,
  };
}
