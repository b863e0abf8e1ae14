import { delimiter } from 'node:path';
import type { Agent, RunPlan } from '../agent/seam/agent.ts';
import type { GateKind } from '../agent/seam/gate.ts';
import type { LiveDrive } from '../agent/seam/live.ts';
import { OutlastError } from '../base/errors.ts';
import { makeFolder, writeWhole } from '../base/files.ts';
import { inputId } from '../core/cause.ts';
import type { Effect, Say } from '../core/event.ts';
import type { Launch } from '../core/launch.ts';
import { isDormant } from '../core/next-dormant.ts';
import type { ConversationId, How, Session } from '../core/session.ts';
import { endRun, hangUp, interruptRun, runProcesses } from '../terminal/end.ts';
import { hookCommand, updateCommand } from '../terminal/hook-command.ts';
import { sharedTable } from '../terminal/process-table.ts';
import { commandFolder, hookSignals, runFolder, runName } from '../terminal/run-folder.ts';
import type { RunRef, Terminal } from '../terminal/terminal.ts';
import { stageUpdate, withdrawUpdate } from '../terminal/update-file.ts';
import { askPlan } from './ask-plan.ts';
import { readCallerProcess } from './caller-process.ts';
import { derivedId } from './derived-id.ts';
import { sentImages, spokenText } from './images.ts';
import { plannedLaunch } from './native-program.ts';
import { runsOf, terminalOf } from './runs.ts';
import { withPassword } from './wires/password.ts';
import { agentOf, unknownAgent, type WorldState } from './world-state.ts';

/** How long an agent that was asked to exit may take. */
const QUIT_MS_MAX = 3_000;
const QUIT_LOOK_MS = 20;
/** A turn that just ended leaves the screen busy for a moment. */
const FREE_MS_MAX = 300;

/** Performs one effect. */
export async function act(world: WorldState, session: Session, effect: Effect, signal: AbortSignal): Promise<void> {
  const terminal = world.terminals[terminalOf(session)];
  const ref: RunRef = { session: session.id, run: effect.run };
  if (effect.kind === 'open' || effect.kind === 'deliver')
    await world.beforeTurn?.(session, effect.say === null ? null : promptOf(effect.say));
  if (effect.kind === 'answer' || (isMessage(effect) && session.spec.drive === 'server')) {
    return world.servers.act(session, effect);
  }
  switch (effect.kind) {
    case 'open':
      return open(world, session, effect);
    case 'repair-output':
      return terminal.repairOutput(ref);
    case 'hangup':
      return hangUp(world.state, ref);
    case 'close':
      return close(world, session, ref, signal);
    case 'deliver':
      await terminal.write(ref, {
        kind: 'paste',
        text: liveOf(world, session).typed(textOf(world, session, effect.say)),
      });
      await terminal.write(ref, ENTER);
      return;
    case 'enter':
      await terminal.write(ref, ENTER);
      return;
    case 'withdraw':
      await terminal.write(ref, { kind: 'keys', keys: liveOf(world, session).keys.clear(session.turn.stale ?? '') });
      return;
    case 'interrupt':
      return interrupt(world, session, ref, terminal);
    case 'stage':
      return stageUpdate(runFolder(world.state, ref), effect.text);
    case 'unstage':
      return withdrawUpdate(runFolder(world.state, ref));
  }
}

/** The prompt that is sent. */
function promptOf({ token }: Say): string {
  return token.slice(0, token.lastIndexOf('#'));
}

function isMessage(effect: Effect): effect is Extract<Effect, { kind: 'deliver' | 'interrupt' }> {
  return effect.kind === 'deliver' || effect.kind === 'interrupt';
}

/** A gated run is started only if its agent is proven to obey the gate. */
async function open(world: WorldState, session: Session, effect: Opening): Promise<void> {
  const isStrict = session.spec.conversation?.gate?.mode === 'gate';
  const way = isStrict ? await gateWay(world, session, effect.run) : 'hook';
  if (way === null) return;
  const ref: RunRef = { session: session.id, run: effect.run };
  const launch = capped(world, session, ref, launchOf(world, session, effect, way));
  return world.terminals[terminalOf(session)].open(ref, launch, session.spec.size);
}

async function gateWay(world: WorldState, session: Session, run: number): Promise<GateKind | null> {
  try {
    return await world.gateWay(session);
  } catch (error) {
    if (!(error instanceof OutlastError) || error.code !== 'gate_unsafe') throw error;
    world.submit(session, inputId('unsafe', `${session.id}.${run}`), { type: 'unsafe', run, why: error.message });
    return null;
  }
}

const ENTER = { kind: 'keys', keys: ['Enter'] } as const;

async function interrupt(world: WorldState, session: Session, ref: RunRef, terminal: Terminal): Promise<void> {
  if (terminalOf(session) === 'pipe') interruptRun(world.state, ref);
  else await terminal.write(ref, { kind: 'keys', keys: liveOf(world, session).keys.interrupt });
}

async function close(world: WorldState, session: Session, ref: RunRef, signal: AbortSignal): Promise<void> {
  const { state, clock } = world;
  const terminal = world.terminals[terminalOf(session)];
  const graceMs = session.phase.at === 'closing' ? session.phase.graceMs : session.spec.policy.graceMs;
  const isSwitched = session.conversation.switchTo !== undefined;
  const isMeant = session.phase.at === 'closing' || isSwitched || isDormant(session);
  if (graceMs > 0 && isMeant && unknownAgent(world, session) === null) await askToLeave(world, session, ref, signal);
  for (const run of runsOf(session)) {
    const isOld = run.run < ref.run;
    if (!isOld || runProcesses(state, run, sharedTable()).length > 0)
      await endRun(state, run, { graceMs, clock, signal });
    world.caps.release(run);
  }
  if (signal.aborted) return;
  return terminal.release(ref);
}

/** An agent that waits for a prompt can be asked to exit by its own command. Nothing is typed into anything else. */
async function askToLeave(world: WorldState, session: Session, ref: RunRef, signal: AbortSignal): Promise<void> {
  if (session.spec.drive === 'server') return world.servers.askToLeave(session);
  const { live } = agentOf(world, session);
  const terminal = world.terminals[terminalOf(session)];
  if (live === undefined || terminal.kind === 'pipe') return;
  const isAlive = async (): Promise<boolean> => !signal.aborted && (await terminal.look(ref)).is === 'alive';
  const isFree = async (): Promise<boolean> => {
    const shown = live.read(await terminal.screen(ref));
    return shown.is === 'ready' && shown.draft === null && (await terminal.viewers(ref)) === 0;
  };
  const freeMs = world.clock.steadyMs() + FREE_MS_MAX;
  while ((await isAlive()) && !(await isFree())) {
    if (world.clock.steadyMs() > freeMs) return;
    await world.clock.sleep(QUIT_LOOK_MS);
  }
  if (!(await isAlive())) return;
  await terminal.write(ref, { kind: 'paste', text: live.quit });
  await terminal.write(ref, ENTER);
  const deadlineMs = world.clock.steadyMs() + QUIT_MS_MAX;
  while ((await isAlive()) && world.clock.steadyMs() < deadlineMs) {
    await world.clock.sleep(QUIT_LOOK_MS);
  }
}

function liveOf(world: WorldState, session: Session): LiveDrive {
  const { live, name } = agentOf(world, session);
  if (live === undefined) throw new OutlastError('not_supported', `${name} has no screen to type into`);
  return live;
}

interface Opening {
  readonly run: number;
  readonly how: How;
  readonly say: Say | null;
}

function capped({ caps }: WorldState, { spec }: Session, ref: RunRef, launch: Launch): Launch {
  const { memoryBytesMax = null } = spec.policy;
  const cap = memoryBytesMax === null ? undefined : caps.capFor(ref, memoryBytesMax);
  return cap === undefined ? launch : { ...launch, cap };
}

function launchOf(world: WorldState, session: Session, { run, how, say }: Opening, way: GateKind): Launch {
  const { state } = world;
  const ref = { session: session.id, run };
  const files = runFolder(state, ref);
  makeFolder(files.folder);
  makeFolder(files.spool);
  // Never in the arguments of a process: every user of the machine can read those.
  if (say !== null) writeWhole(files.prompt, textOf(world, session, say));
  const place = { spool: files.spool, reports: hookSignals(state), name: runName(ref) };
  const agent = agentOf(world, session);
  const plan: RunPlan = {
    how,
    conversation:
      how === 'resume' || how === 'visit' ? session.conversation.id : freshConversation(world, session, run),
    origin: how === 'fork' ? session.recovery.remediation.origin : null,
    promptPath: say === null ? null : files.prompt,
    images: sentImages(state, session.id, say?.images),
    folder: files.folder,
    files: files.files,
    hook: hookCommand({ program: world.hookProgram, ...place }),
    tell: (how) => updateCommand({ program: world.hookProgram, ...place }, { ...how, update: files.update }),
    ask: askPlan(world, session, place, way),
  };
  nameConversation(world, session, agent, plan, run);
  const planned = plannedLaunch(agent, session.spec, readCallerProcess(state, session.id), plan);
  const isServer = session.spec.drive === 'server' && how !== 'visit';
  const made = isServer && agent.server !== undefined ? withPassword(planned, agent.server.wire, files) : planned;
  return session.spec.drive === 'command' && session.owner === null
    ? made
    : { ...made, env: withCommand(made.env, state) };
}

function textOf(world: WorldState, { id, spec }: Session, say: Say): string {
  return spokenText(world.agents[spec.agent] ?? {}, spec.drive, say, sentImages(world.state, id, say.images));
}

/** The id that we chose is written down before the launch, for an agent that reports none. */
function nameConversation(world: WorldState, session: Session, agent: Agent, plan: RunPlan, run: number): void {
  const { conversation, how } = plan;
  if (agent.resumesUnread !== true || conversation === null || how === 'visit') return;
  const source = how === 'resume' ? 'resume' : 'startup';
  const opened = { type: 'hook.opened', run, conversation, transcript: null, source } as const;
  world.submit(session, inputId('named', `${session.id}.${run}`), opened);
}

/** The agent and its children call this daemon, and not another one. */
function withCommand(env: Launch['env'], state: string): Launch['env'] {
  // Last: the caller's own `outlast` comes first, like everything else. An empty PATH means the shell's default.
  const path = env.PATH && { PATH: `${env.PATH}${delimiter}${commandFolder(state)}` };
  return { ...env, ...path, OUTLAST_STATE: state };
}

/**
 * The id for a new conversation. A run that died before its first entry was stored leaves an id that can neither be
 * resumed nor used again; then the next one is derived from it. The same applies if the agent has moved to another
 * conversation without storing anything, and if a stored conversation is gone: parts of it may still exist.
 */
function freshConversation(world: WorldState, session: Session, run: number): ConversationId | null {
  const own = session.spec.conversation?.id ?? null;
  const agent = agentOf(world, session);
  const isOther = session.conversation.id !== null && session.conversation.id !== own;
  const isMoved =
    session.recovery.remediation.origin !== null || isOther || session.conversation.written === 'given-up';
  if (own === null || (!isMoved && world.transcriptReader.path(session, agent) === null)) return own;
  return derivedId(own, run);
}
