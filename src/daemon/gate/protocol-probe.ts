import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownAgent } from '../../agent/known.ts';
import type { Agent, CallerProcess, RunPlan } from '../../agent/seam/agent.ts';
import type { ProbeCall, ProtocolGate, SeenCall } from '../../agent/seam/gate.ts';
import type { LineReader } from '../../agent/seam/lines.ts';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/files.ts';
import { newShortId } from '../../base/ids.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { SessionId, Spec } from '../../core/session.ts';
import { askedFiles } from '../../supervisor/agent-files.ts';
import { nativeLaunch } from '../../supervisor/native-program.ts';
import { tailOf } from '../../supervisor/source-tail.ts';
import { withPassword } from '../../supervisor/wires/password.ts';
import { endRun } from '../../terminal/end.ts';
import { runIdentities } from '../../terminal/look.ts';
import { pipe } from '../../terminal/pipe.ts';
import { signal } from '../../terminal/processes.ts';
import { installPrograms } from '../../terminal/programs.ts';
import { runFolder } from '../../terminal/run-folder.ts';
import type { RunRef } from '../../terminal/terminal.ts';
import { inOpenedFolder } from './opened-folder.ts';
import { judge, messageCalls, OPENED, type ProbeResult, STOLEN, traceOf, UNFINISHED } from './probe-calls.ts';
import { judgeLed, lead } from './probe-lead.ts';
import { type ProbeModel, startModel } from './probe-model.ts';
import { trustingSpec } from './probe-spec.ts';
import { ProbeTalk } from './probe-talk.ts';
import { writeOpeners } from './write-openers.ts';

/** An agent that asks in messages, with what is needed to try that. */
export type AskingAgent = KnownAgent & Required<Pick<Agent, 'server'>> & { readonly gate: ProtocolGate };

export interface ProtocolProbeParts {
  readonly state: string;
  readonly clock: Clock;
  /** Where the caller finds programs. */
  readonly path: string;
}

const RECORD_BYTES_MAX = 16 * 1024 * 1024;
const NAME = /^probe\.([0-9a-z]{6})$/;

/** The folder of one probe: a state folder of its own, with one run in it. */
interface ProbePlace {
  readonly state: string;
  readonly ref: RunRef;
  readonly home: string;
  readonly workspace: string;
}

/**
 * Leads the server of an agent through calls that must be denied and one that must not, in a home of its own and
 * against a model of ours. It is started and spoken to as in a session. An error proves nothing, so it is no proof.
 */
export function probeProtocol(parts: ProtocolProbeParts, agent: AskingAgent): Promise<ProbeResult> {
  return inOpenedFolder(agent.gate, (isOpened) => probeIn(parts, agent, isOpened));
}

async function probeIn(parts: ProtocolProbeParts, agent: AskingAgent, isOpened: boolean): Promise<ProbeResult> {
  const place = probePlace(parts.state, newShortId());
  try {
    for (const folder of [place.state, place.home, place.workspace]) makeFolder(folder);
    const calls = messageCalls(agent.gate.wrongAnswers, clientCommand(agent, place));
    const probe = agent.gate.probe(calls);
    const model = await startModel(probe);
    try {
      return await tryOut(parts, agent, place, { model, prompt: probe.prompt, calls, isOpened });
    } finally {
      model.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { denies: false, allows: false, why: `${UNFINISHED}: ${why}` };
  } finally {
    await endProbe(place, parts.clock);
  }
}

/** The command of a tool that answers the next question of its own server; null: only we can answer. */
function clientCommand({ gate, server }: AskingAgent, { state }: ProbePlace): string | null {
  if (gate.openers?.toolClient === undefined || server.wire.over === 'stdio') return null;
  const path = join(state, 'client.mjs');
  writeFileSync(path, gate.openers.toolClient(traceOf(STOLEN)));
  return [process.execPath, path].map(shellWord).join(' ');
}

/** Ends what a daemon that died during a probe left running, and removes its folder. */
export async function endOldProbes(state: string, clock: Clock): Promise<void> {
  const ids = readdirSync(state).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  for (const id of ids) await endProbe(probePlace(state, id), clock);
}

function probePlace(state: string, id: string): ProbePlace {
  const folder = join(state, `probe.${id}`);
  // Its processes are found by this name, among those of every daemon of this machine. It is short: the path of a
  // socket in this folder is no longer than in the folder of a session.
  const ref = { session: `t${id}` as SessionId, run: 1 };
  return { state: folder, ref, home: join(folder, 'home'), workspace: join(folder, 'workspace') };
}

async function endProbe({ state, ref }: ProbePlace, clock: Clock): Promise<void> {
  mkdirSync(runFolder(state, ref).folder, { recursive: true });
  await endRun(state, ref, { graceMs: 0, clock });
  rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
}

/** What leads an agent: its prompt, the model that it asks, and the calls that this one makes. */
interface Lead {
  readonly prompt: string;
  readonly model: ProbeModel;
  readonly calls: readonly ProbeCall[];
  /** There are files that would open the gate. */
  readonly isOpened: boolean;
}

async function tryOut(
  { clock, path }: ProtocolProbeParts,
  agent: AskingAgent,
  place: ProbePlace,
  { prompt, model, calls, isOpened }: Lead,
): Promise<ProbeResult> {
  const { state, ref, home, workspace } = place;
  const env = { PATH: path, HOME: home, SHELL: '/bin/sh', ...agent.program.alone(home, model.url) };
  if (isOpened && agent.gate.openers)
    writeOpeners(agent.gate.openers, { workspace, env, trace: join(workspace, traceOf(OPENED)) });
  const args = model.url === undefined ? [] : (agent.program.aloneArgs?.(model.url) ?? []);
  const spec = specIn(agent, workspace, args);
  const made = agent.launch(spec, { env, umask: 0o077 } satisfies CallerProcess, planIn(place));
  const launch = withPassword(nativeLaunch(agent, made), agent.server.wire, runFolder(state, ref));
  await pipe({ state, programs: installPrograms(state), clock }).open(ref, launch, spec.size);
  const talk = new ProbeTalk({ state, ref, drive: agent.server, wrong: agent.gate.wrongAnswers, workspace, clock });
  const isMade = (name: string): boolean => existsSync(join(workspace, traceOf(name)));
  try {
    const led = await lead(talk, prompt, { calls, isMade, kill: () => killCommand(state, ref), clock });
    const seen = [...toldBy(talk), ...(await writtenBy(talk, agent, launch.env))];
    const expected = led.allowed.size + Number(isMade(STOLEN));
    const result = judge({ isMade, seen, expected, isOver: led.isOver });
    return result.denies ? judgeLed(result, led, { calls, seen, isMade }) : result;
  } finally {
    talk.close();
  }
}

/** Kills the process of the agent alone, as the kernel would. */
function killCommand(state: string, ref: RunRef): void {
  const { command } = runIdentities(state, ref);
  if (command !== null) signal(command, 'SIGKILL');
}

function toldBy({ made }: ProbeTalk): SeenCall[] {
  return [...made].map((call) => ({ call, tool: null, made: true, atMs: null }));
}

/** The calls in what the agent wrote down. */
async function writtenBy(
  { opened }: ProbeTalk,
  agent: AskingAgent,
  env: CallerProcess['env'],
): Promise<readonly SeenCall[]> {
  if (opened === null || agent.record === undefined) return [];
  const { conversation: id, transcript: reported } = opened;
  const { main, sides } = agent.record.sources(askedFiles(), () => env, { id, reported });
  const sources = [...(main === null ? [] : [main]), ...sides()];
  const reader: LineReader<readonly SeenCall[], readonly SeenCall[]> = {
    empty: [],
    read: (calls, lines) => [...calls, ...agent.gate.seenCalls(lines)],
    view: (calls) => calls,
  };
  const tails = sources.map((source) => tailOf(source, reader));
  for (const tail of tails) await tail.readOn(RECORD_BYTES_MAX);
  return tails.flatMap(({ view }) => view);
}

/** A gated session for the probe only. */
function specIn(agent: AskingAgent, workspace: string, args: readonly string[]): Spec {
  const { conversation, ...spec } = trustingSpec(agent, workspace);
  return { ...spec, drive: 'server', ...(conversation && { conversation: { ...conversation, args } }) };
}

function planIn({ state, ref }: ProbePlace): RunPlan {
  const { folder, files } = runFolder(state, ref);
  const fresh = { how: 'launch', conversation: null, origin: null, promptPath: null } as const;
  return { ...fresh, folder, files, hook: 'true', tell: null, ask: null };
}
