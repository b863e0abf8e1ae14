import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { KnownAgent } from '../../agent/known.ts';
import type { Agent, RunPlan } from '../../agent/seam/agent.ts';
import type { AskPlan, GateProbe, ProbeCall } from '../../agent/seam/gate.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/files.ts';
import { quotedWord } from '../../base/shell-word.ts';
import { run } from '../../base/spawn.ts';
import { writeLaunchFiles } from '../../terminal/launch-files.ts';
import { hookProbeSpec } from './hook-probe.ts';

/** What came out of a trial. */
export interface ProbeResult {
  /** What was denied, and what nobody answered, did not run. */
  readonly denies: boolean;
  /** What was allowed did run. */
  readonly allows: boolean;
  readonly why: string;
}

/** An agent with what is needed to try its gate. */
export type GatedAgent = KnownAgent & Required<Pick<Agent, 'gate' | 'turns'>>;

export interface GateProbeParts {
  readonly state: string;
  readonly clock: Clock;
  /** Where the caller finds programs. */
  readonly path: string;
  /** What asks in the place of its hooks; null: they ask. */
  readonly permissionServer: AskPlan['permissionServer'];
}

/** Why nothing is known after a trial: the machine may have been busy. */
export const UNFINISHED = 'it did not come to the end of the trial';

const PROBE_MS_MAX = 60_000;
const HOOK_SECONDS_MAX = 5;

const touch = (name: string): ProbeCall => ({ command: `touch outlast-${name}`, about: name });

/** Calls that must not be made: denied, by a hook that fails, by one that says nothing; and one that only reads. */
const FORBIDDEN = ['denied', 'failed', 'silent'];
const CALLS: readonly ProbeCall[] = [...FORBIDDEN.map(touch), { command: 'pwd', about: 'reads' }, touch('allowed')];

/** Answers by what is asked: $1 is a no, $2 a yes. */
const HOOK = `payload=$(cat)
case $payload in
  *touch\\ outlast-denied*) printf '%s\\n' "$1" ;;
  *touch\\ outlast-failed*) exit 1 ;;
  *touch\\ outlast-allowed*) printf '%s\\n' "$2" ;;
esac
`;

/**
 * Leads an agent through calls that must be denied and one that must not, in a home of its own and against a model of
 * ours: nobody else is asked. What its gate does then it does with every model.
 */
export async function probeGate(parts: GateProbeParts, agent: GatedAgent): Promise<ProbeResult> {
  const folder = join(parts.state, `trial.${process.pid}.${agent.name}`);
  const inside = (name: string): string => join(folder, name);
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  for (const name of ['home', 'workspace']) mkdirSync(inside(name));
  writeFileSync(inside('hook.sh'), HOOK);
  const trial = agent.gate.probe(CALLS);
  const model = await startModel(trial);
  try {
    const home = inside('home');
    const env = { PATH: parts.path, HOME: home, SHELL: '/bin/sh', ...agent.program.alone(home, model.url) };
    const spec = hookProbeSpec(agent, inside('workspace'));
    const plan = planIn(folder, askPlan(inside('hook.sh'), parts, agent));
    const launch = agent.launch(spec, { env, umask: 0o077 }, plan);
    writeLaunchFiles(inside('files'), launch);
    const ran = await run(launch.argv, {
      clock: parts.clock,
      env: launch.env,
      cwd: launch.cwd,
      input: Buffer.from(trial.prompt),
      msMax: PROBE_MS_MAX,
    });
    const output = ran.end === 'exited' ? ran.stdout.toString() : '';
    return judge(agent, output, parts.clock.wallMs(), (name) => existsSync(inside(`workspace/outlast-${name}`)));
  } finally {
    model.server.close();
    model.server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
  }
}

function planIn(folder: string, ask: AskPlan): RunPlan {
  const files = join(folder, 'files');
  const fresh = { how: 'launch', conversation: null, origin: null, promptPath: null } as const;
  return { ...fresh, folder, files, hook: 'true', tell: null, ask };
}

function judge(
  { gate, turns }: GatedAgent,
  output: string,
  nowMs: number,
  isMade: (name: string) => boolean,
): ProbeResult {
  const ran = FORBIDDEN.filter(isMade);
  const allows = isMade('allowed');
  const made = gate.seenCalls(output).filter((call) => call.made).length;
  if (ran.length > 0) return { denies: false, allows, why: `a call ran that was to be held back (${ran.join(', ')})` };
  if (made > Number(allows)) return { denies: false, allows, why: 'a call that only reads ran without an answer' };
  if (readWhole(turns.stream, output)(nowMs)?.turn !== 'closed') {
    return { denies: false, allows, why: UNFINISHED };
  }
  return { denies: true, allows, why: allows ? 'it holds back what it must' : 'it holds back even what is allowed' };
}

function askPlan(hook: string, { permissionServer }: GateProbeParts, { gate }: GatedAgent): AskPlan {
  const command = (confirms: boolean): string => {
    const answers = (['deny', 'allow'] as const).map((say) => gate.answer({ say, why: 'on trial', confirms }));
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

interface Model {
  readonly server: Server;
  readonly url: string;
}

/** Listens on this machine only, for the length of a trial. */
async function startModel({ answer }: GateProbe): Promise<Model> {
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => {
        const text = answer(body);
        response.writeHead(200, { 'content-type': text === null ? 'application/json' : 'text/event-stream' });
        response.end(text ?? '{}');
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', done);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
