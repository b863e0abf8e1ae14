import { accessSync, constants } from 'node:fs';
import type { Agent } from '../agent/seam/agent.ts';
import type { LiveDrive } from '../agent/seam/live.ts';
import { isHeldBetweenRuns } from '../core/fold-release.ts';
import { HOST_RESUMES_WINDOW_MS } from '../core/policy.ts';
import type { Session } from '../core/session.ts';
import type { ScreenSight, Sight, TerminalSight, TranscriptSight } from '../core/snapshot.ts';
import { say } from '../core/steps.ts';
import { whereIs } from '../terminal/offer-file.ts';
import { runFolder } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { ALONE, accountSight, noteAnswer } from './accounts.ts';
import { stateOf } from './agent-files.ts';
import { answerHooks } from './answers.ts';
import { agentOf, type Inside } from './inside.ts';
import { refOf, terminalOf } from './runs.ts';
import { drainSpool } from './spool.ts';
import { verdictSight } from './verdict.ts';

type Seen = Omit<Sight, 'tried'>;

type Talked =
  | 'screen'
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
  | 'offer'
  | 'breach';

const NOTHING: Pick<Seen, Talked> = {
  screen: { is: 'unknown' },
  viewers: 0,
  transcript: { exists: false, heard: [], turn: 'closed', reply: '' },
  after: { is: 'met', texts: [] },
  signs: { progressMs: 0, isComputing: false, words: [] },
  used: null,
  breach: null,
  account: ALONE,
  compact: null,
  fork: false,
  hostResumes: 0,
};

/** What is there now. What the hooks of the run dropped is taken first: the session may have changed by then. */
export async function look(inside: Inside, session: Session): Promise<Seen> {
  const ref = refOf(session);
  const agent = agentOf(inside, session);
  const terminals = inside.terminals[terminalOf(session)];
  const seen = ref.run === 0 ? ({ is: 'absent' } as const) : await terminals.look(ref);
  const terminal = inside.quiet.seen(ref, seen);
  const left = inside.left.count(session, terminal);
  // After these: whoever ended, a hook too, has said everything before.
  if (ref.run > 0) {
    if (agent.turns !== undefined) await inside.streams.catchUp(session, ref, agent.turns);
    hear(inside, session, ref, agent);
  }
  const common = {
    terminal,
    left,
    boot: inside.boot,
    planned: inside.planned(),
    slot: inside.slot(session),
    wallMs: inside.clock.wallMs(),
  };
  if (session.spec.drive === 'command' || inside.now(session) !== session) return { ...NOTHING, ...common };
  const workspaceGone = terminal.is !== 'alive' && !canEnter(session.spec.workspace);
  return { ...NOTHING, ...common, workspaceGone, ...(await agentSight(inside, session, agent, terminal)) };
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes what there is to hear of a run, and answers the hooks that wait. A prompt is heard before anything is printed
 * about it, and everything is printed before a hook tells of its end. So what hooks say of the prompt comes first, and
 * before all else they say comes what was printed.
 */
export function hear(inside: Inside, session: Session, ref: RunRef, agent: Agent): void {
  const { turns, gate } = agent;
  const stream = turns === undefined ? null : inside.streams.listen(session, ref, turns);
  drainSpool(inside, session, ref, agent, (type) => {
    if (type !== 'hook.opened' && type !== 'hook.prompted') stream?.takeAll();
  });
  if (gate !== undefined && session.spec.conversation?.gate !== undefined) answerHooks(inside, session, ref, gate);
  stream?.take();
}

async function agentSight(
  inside: Inside,
  session: Session,
  agent: Agent,
  terminal: TerminalSight,
): Promise<Pick<Seen, Talked>> {
  const isScreen = terminalOf(session) !== 'pipe' && terminal.is === 'alive';
  const ref = refOf(session);
  noteAnswer(inside, session, agent);
  const nowMs = inside.clock.steadyMs();
  const transcript = await transcriptSight(inside, session, agent, terminal);
  const { live } = agent;
  const screen: ScreenSight =
    isScreen && live !== undefined && isWatched(session)
      ? await screenSight(inside, session, live, terminal)
      : { is: 'unknown' };
  return {
    screen,
    viewers: isScreen ? await inside.terminals[terminalOf(session)].viewers(ref) : 0,
    transcript,
    ...(transcript.exists ? inside.holders.sight(inside, session, inside.eyes.path(session, agent)) : {}),
    breach: await inside.detective.look(inside, session, agent),
    after: session.followed ? NOTHING.after : inside.after(session),
    signs:
      session.phase.at === 'working' ? inside.signs.read(inside, session, agent, { terminal, screen }) : NOTHING.signs,
    used: await inside.eyes.used(session, agent, inside.clock.wallMs()),
    account: accountSight(inside, session, agent),
    compact: agent.compact ?? null,
    fork: agent.fork ?? false,
    ...(await verdictSight(inside, session, terminal)),
    ...(await saidSight(inside, session, agent, terminal)),
    ...treeSight(inside, session),
    ...(await offerSight(inside, session, agent, terminal)),
    hostResumes: session.phase.at === 'recovering' ? inside.resumes(nowMs - HOST_RESUMES_WINDOW_MS) : 0,
  };
}

/** Asked for only when a process of one turn is still there after its answer: most are gone by then. */
async function saidSight(
  { eyes }: Inside,
  session: Session,
  agent: Agent,
  terminal: TerminalSight,
): Promise<Pick<Seen, 'isSaid'>> {
  const { spec, phase, prompts, run } = session;
  const isTurning = spec.drive === 'turns' && phase.at === 'working' && terminal.is === 'alive';
  if (!isTurning || prompts.some((p) => p.run === run?.number)) return {};
  return { isSaid: await eyes.hasSaid(session, agent) };
}

/** Asked for only when it decides something: all sessions are looked at for it. */
function treeSight(inside: Inside, session: Session): Pick<Seen, 'expects' | 'overdrawn'> {
  const { phase, keepOpen, prompts } = session;
  if (phase.at !== 'idle') return {};
  if (prompts.length > 0) return { overdrawn: inside.overdrawn?.(session) ?? null };
  return { expects: !keepOpen && inside.expects?.(session) === true };
}

/** Where what is laid out is. What nobody has taken is nowhere else. */
async function offerSight(
  { state, eyes }: Inside,
  session: Session,
  agent: Agent,
  terminal: TerminalSight,
): Promise<Pick<Seen, 'offer'>> {
  const { offer, phase } = session;
  if (offer === null) return {};
  const where = whereIs(runFolder(state, { session: session.id, run: offer.run }), offer.id);
  const isOver = terminal.is !== 'alive' || phase.at === 'idle';
  const isTold = where !== 'out' && where !== 'back' && (await eyes.isTold(session, agent, offer.id, isOver));
  return { offer: isTold ? 'told' : where };
}

/** Does what the screen shows decide anything? An idle session that nobody wants anything of is left in peace. */
function isWatched({ phase, prompts, turn: { other: otherTurn } }: Session): boolean {
  return phase.at === 'idle' ? prompts.length > 0 || otherTurn !== null : phase.at !== 'visited';
}

async function transcriptSight(
  inside: Inside,
  session: Session,
  agent: Agent,
  terminal: TerminalSight,
): Promise<TranscriptSight> {
  const { at } = session.phase;
  const isStarting = at === 'queued' || at === 'recovering' || session.attendance.visit || isHeldBetweenRuns(session);
  // A process that lives for one turn is asked when it has ended; until then its transcript decides nothing.
  const isTurning = session.spec.drive === 'turns' && terminal.is === 'alive';
  if (isTurning || (session.prompts.length === 0 && !isStarting)) return NOTHING.transcript;
  return inside.eyes.transcript(session, agent, { isOver: terminal.is === 'dead', nowMs: inside.clock.wallMs() });
}

/** The screen, and what the agent says of itself. Only where both agree that it waits is a key pressed. */
async function screenSight(
  inside: Inside,
  session: Session,
  live: LiveDrive,
  { pid, quietMs }: Alive,
): Promise<ScreenSight> {
  const screen = await inside.terminals[terminalOf(session)].screen(refOf(session));
  const shown = live.read(screen);
  if (shown.is === 'dialog') return shown;
  if (shown.is === 'unknown') {
    // What stands still and is not known to us waits for somebody who knows it. An empty screen is not drawn yet.
    const isStrange = quietMs > STRANGE_MS && screen.rows.some((row) => row.trim() !== '');
    return isStrange ? { is: 'dialog', why: STRANGE } : shown;
  }
  const state = pid > 0 && live.state !== undefined ? stateOf(live.state, inside.eyes.env(session), pid) : null;
  if (shown.is === 'busy' || state?.is === 'busy') {
    const { tokens } = shown;
    return { is: 'busy', draft: shown.draft !== null, ...(tokens !== undefined && { tokens }) };
  }
  if (state?.is === 'waiting') return { is: 'unknown' };
  // An input box is drawn before it takes anything. Only an agent that keeps no such file is believed by its screen.
  if (session.phase.at === 'starting' && state?.is !== 'idle' && quietMs < STATELESS_MS) return { is: 'unknown' };
  return { is: shown.draft === null ? 'ready' : boxOf(session, live, shown.draft) };
}

type Alive = Extract<TerminalSight, { is: 'alive' }>;

/** A screen that has not changed for so long is what it seems to be. */
const STATELESS_MS = 3_000;
const STRANGE_MS = 4_000;
const STRANGE = {
  kind: 'unknown',
  text: 'It shows something that we do not know, and waits. Attach and see; Ctrl-L there draws it again.',
};

/** So much of a text is not typed twice by chance. */
const PART_CHARS_MIN = 40;

/** Whose text is in the box? Lines are wrapped there, so blanks tell nothing. */
function boxOf(session: Session, live: LiveDrive, draft: string): 'holding' | 'stale' | 'draft' {
  const bare = live.boxText;
  const box = bare(draft);
  const sent = session.prompts.find((p) => p.state === 'sending' || p.state === 'unsure');
  const text = say(sent)?.text ?? null;
  if (text !== null && (bare(text) === box || live.isPlaceholder(draft, text))) return 'holding';
  const { stale } = session.turn;
  if (stale === null) return 'draft';
  // Of a long text the box shows a part. A placeholder may stand for a paste of somebody else: it is not ours to clear.
  const isPart = box.length > PART_CHARS_MIN && bare(stale).includes(box);
  return isPart || bare(stale) === box ? 'stale' : 'draft';
}
