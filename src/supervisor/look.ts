import { accessSync, constants } from 'node:fs';
import type { Agent } from '../agent/seam/agent.ts';
import { isHeldBetweenRuns } from '../core/fold-release.ts';
import { HOST_RESUMES_WINDOW_MS } from '../core/policy.ts';
import type { Session } from '../core/session.ts';
import type { ScreenSnapshot, Snapshot, TerminalSnapshot, TranscriptSnapshot } from '../core/snapshot.ts';
import { runFolder } from '../terminal/run-folder.ts';
import { updatePlace } from '../terminal/update-file.ts';
import { ALONE, accountSnapshot } from './accounts.ts';
import { searchSnapshot } from './conversation-search.ts';
import { screenSnapshot } from './look-screen.ts';
import { refOf, terminalOf } from './runs.ts';
import { verdictSnapshot } from './verdict.ts';
import { agentOf, unknownAgent, type WorldView } from './world-state.ts';

type Seen = Omit<Snapshot, 'tried'>;

type Talked =
  | 'screen'
  | 'messages'
  | 'viewers'
  | 'transcript'
  | 'after'
  | 'signs'
  | 'isSaid'
  | 'verdict'
  | 'holder'
  | 'used'
  | 'account'
  | 'compact'
  | 'fork'
  | 'hostResumes'
  | 'expects'
  | 'overdrawn'
  | 'inTurnUpdate'
  | 'breach';

const NOTHING: Pick<Seen, Talked> = {
  screen: { is: 'unknown' },
  viewers: 0,
  transcript: { exists: false, received: [], turn: 'closed', reply: '' },
  after: { is: 'met', texts: [] },
  signs: { progressMs: 0, isComputing: false, words: [] },
  used: null,
  breach: null,
  account: ALONE,
  compact: null,
  fork: false,
  hostResumes: 0,
};

/** The current state of the world. It writes nothing: reports of the run are ingested before. */
export async function look(world: WorldView, session: Session): Promise<Seen> {
  const ref = refOf(session);
  const seen = ref.run === 0 ? ({ is: 'absent' } as const) : await world.terminals[terminalOf(session)].look(ref);
  const unknown = unknownAgent(world, session);
  const said = seen.is === 'alive' && unknown === null ? world.servers.look(session) : null;
  const terminal = heardOf(world.quiet.seen(ref, seen), said);
  const common = {
    terminal,
    strayProcesses: world.strayProcesses.count(session, terminal),
    boot: world.boot,
    planned: world.planned(),
    slot: world.slot(session),
    wallMs: world.clock.wallMs(),
  };
  if (session.spec.drive === 'command') return { ...NOTHING, ...common };
  if (unknown !== null) return { ...NOTHING, ...common, unknownAgent: unknown };
  const workspaceGone = terminal.is !== 'alive' && !canEnter(session.spec.workspace);
  return { ...NOTHING, ...common, workspaceGone, ...(await agentSnapshot(world, session, terminal, said)) };
}

/** Messages of an agent count like its output. */
function heardOf(terminal: TerminalSnapshot, said: { readonly quietMs: number } | null): TerminalSnapshot {
  if (terminal.is !== 'alive' || said === null) return terminal;
  return { ...terminal, quietMs: Math.min(terminal.quietMs, said.quietMs) };
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function agentSnapshot(
  world: WorldView,
  session: Session,
  terminal: TerminalSnapshot,
  said: ReturnType<WorldView['servers']['look']>,
): Promise<Pick<Seen, Talked>> {
  const agent = agentOf(world, session);
  const isScreen = terminalOf(session) !== 'pipe' && terminal.is === 'alive';
  const ref = refOf(session);
  const nowMs = world.clock.steadyMs();
  const transcript = await transcriptSnapshot(world, session, agent, terminal);
  const { live } = agent;
  const screen: ScreenSnapshot =
    isScreen && live !== undefined && isWatched(session)
      ? await screenSnapshot(world, session, live, terminal)
      : (said?.screen ?? { is: 'unknown' });
  return {
    screen,
    ...(said?.messages && { messages: said.messages }),
    viewers: isScreen ? await world.terminals[terminalOf(session)].viewers(ref) : 0,
    transcript,
    ...(transcript.exists ? world.holders.snapshot(world, session, storedAt(world, session, agent)) : {}),
    breach: await world.bypassDetector.look(world, session, agent),
    after: session.followed ? NOTHING.after : world.after(session),
    signs:
      session.phase.at === 'working'
        ? await world.signs.read(world, session, agent, { terminal, screen })
        : NOTHING.signs,
    used: await world.transcriptReader.used(session, agent, world.clock.wallMs()),
    account: accountSnapshot(world, session, agent),
    compact: agent.compact ?? null,
    fork: agent.fork ?? false,
    ...(await verdictSnapshot(world, session, terminal)),
    ...(await saidSnapshot(world, session, agent, terminal)),
    ...treeSnapshot(world, session),
    ...(await offerSnapshot(world, session, agent, terminal)),
    hostResumes: session.phase.at === 'recovering' ? world.resumes(nowMs - HOST_RESUMES_WINDOW_MS) : 0,
  };
}

/** The file or the database that has the conversation. */
function storedAt({ transcriptReader }: WorldView, session: Session, agent: Agent): string | null {
  return transcriptReader.sources(session, agent)?.main?.path ?? null;
}

/** Checked only if a process of one turn still runs after its answer: most have exited by then. */
async function saidSnapshot(
  { transcriptReader }: WorldView,
  session: Session,
  agent: Agent,
  terminal: TerminalSnapshot,
): Promise<Pick<Seen, 'isSaid'>> {
  const { spec, phase, prompts, run } = session;
  const isTurning = spec.drive === 'turns' && phase.at === 'working' && terminal.is === 'alive';
  if (!isTurning || prompts.some((p) => p.run === run?.number)) return {};
  return { isSaid: await transcriptReader.hasSaid(session, agent) };
}

/** Checked only if it decides something: it looks at all sessions. */
function treeSnapshot(world: WorldView, session: Session): Pick<Seen, 'expects' | 'overdrawn'> {
  const { phase, keepOpen, prompts } = session;
  if (phase.at !== 'idle') return {};
  if (prompts.length > 0) return { overdrawn: world.overdrawn?.(session) ?? null };
  return { expects: !keepOpen && world.expects?.(session) === true };
}

/** Where staged updates are. Unclaimed ones are nowhere else. */
async function offerSnapshot(
  { state, transcriptReader }: WorldView,
  session: Session,
  agent: Agent,
  terminal: TerminalSnapshot,
): Promise<Pick<Seen, 'inTurnUpdate'>> {
  const {
    updates: { inTurn: inTurnUpdate },
    phase,
  } = session;
  if (inTurnUpdate === null) return {};
  const where = updatePlace(runFolder(state, { session: session.id, run: inTurnUpdate.run }), inTurnUpdate.id);
  const isOver = terminal.is !== 'alive' || phase.at === 'idle';
  const isTold =
    where !== 'out' &&
    where !== 'back' &&
    (await transcriptReader.isDelivered(session, agent, inTurnUpdate.id, isOver));
  return { inTurnUpdate: isTold ? 'told' : where };
}

/** Does the screen decide anything? An idle session without work is left alone. */
function isWatched({ phase, prompts, turn: { other: otherTurn } }: Session): boolean {
  return phase.at === 'idle' ? prompts.length > 0 || otherTurn !== null : phase.at !== 'visited';
}

async function transcriptSnapshot(
  world: WorldView,
  session: Session,
  agent: Agent,
  terminal: TerminalSnapshot,
): Promise<TranscriptSnapshot> {
  const { at } = session.phase;
  const isStarting =
    at === 'queued' || at === 'recovering' || session.attendance.visitWanted || isHeldBetweenRuns(session);
  // A process that lives for one turn is judged when it has ended; until then its transcript decides nothing.
  const isTurning = session.spec.drive === 'turns' && terminal.is === 'alive';
  if (isTurning || (session.prompts.length === 0 && !isStarting)) return NOTHING.transcript;
  const transcript = await world.transcriptReader.transcript(session, agent, {
    exit: terminal.is === 'dead' ? terminal.exit : null,
    nowMs: world.clock.wallMs(),
  });
  return { ...transcript, ...(await searchSnapshot(world, session, agent, terminal)) };
}
