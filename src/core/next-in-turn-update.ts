import type { EventBody, Step } from './event.ts';
import { fittingUpdates, type InTurnUpdate, inTurnUpdateText } from './in-turn-update.ts';
import { COALESCE_MS } from './next-update.ts';
import { type Prompt, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, append, wait } from './steps.ts';

/** An agent records a delivered update sooner than this. */
const WRITTEN_MS = 3_000;
/** How soon to check whether it has, at growing intervals. */
const LOOK_MS = 100;

/** Stages updates for a working agent: the hook after its next tool call delivers them. */
export function nextInTurnUpdate(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const { inTurn: inTurnUpdate } = s.updates;
  if (inTurnUpdate === null) return isDue(s, nowMs) ? staged(s) : null;
  if (snapshot.inTurnUpdate === 'told') return append(deliveredBody(inTurnUpdate));
  const isToLay = snapshot.inTurnUpdate === 'none' && inTurnUpdate.run === runOf(s) && snapshot.terminal.is === 'alive';
  return isToLay
    ? act({
        kind: 'stage',
        run: inTurnUpdate.run,
        update: inTurnUpdate.id,
        text: inTurnUpdateText(s.updates, inTurnUpdate),
      })
    : null;
}

/** When to look at a working agent because of its updates; null: no need. */
export function inTurnUpdateLookMs(s: Session, snapshot: Snapshot, nowMs: number): number | null {
  const { inTurn: inTurnUpdate } = s.updates;
  if (inTurnUpdate === null) return inTurnUpdateDueMs(s);
  return snapshot.inTurnUpdate === 'taken' ? nowMs + Math.max(LOOK_MS, (nowMs - inTurnUpdate.sinceMs) / 10) : null;
}

/** Its turn is over: updates that no hook claimed are withdrawn before anything else happens. */
export function nextWithdrawal(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const {
    updates: { inTurn: inTurnUpdate },
    phase,
  } = s;
  if (inTurnUpdate === null || !(isOver(s, inTurnUpdate, snapshot) || isStale(s, inTurnUpdate, snapshot))) return null;
  switch (snapshot.inTurnUpdate) {
    case 'told':
      return append(deliveredBody(inTurnUpdate));
    case 'out':
      return act({ kind: 'unstage', run: inTurnUpdate.run, update: inTurnUpdate.id });
    case 'taken': {
      // A dead process records nothing more.
      const dueMs = snapshot.terminal.is === 'alive' && phase.at === 'idle' ? phase.sinceMs + WRITTEN_MS : nowMs;
      return nowMs < dueMs ? wait(Math.min(dueMs, nowMs + LOOK_MS)) : append(withdrawn(inTurnUpdate, true));
    }
    default:
      return append(withdrawn(inTurnUpdate, false));
  }
}

function isOver({ phase, run }: Session, offer: InTurnUpdate, { terminal }: Snapshot): boolean {
  if (phase.at === 'closing' || phase.at === 'ended') return false;
  return offer.run !== run?.number || phase.at === 'idle' || terminal.is !== 'alive';
}

/** Some of it was read in the meantime, and no hook has claimed it. */
function isStale({ updates: { queued } }: Session, { positions }: InTurnUpdate, snapshot: Snapshot): boolean {
  if (snapshot.inTurnUpdate === 'taken' || snapshot.inTurnUpdate === 'told') return false;
  return positions.some((position) => queued.every((update) => update.position !== position));
}

function isDue(s: Session, nowMs: number): boolean {
  const dueMs = inTurnUpdateDueMs(s);
  return dueMs !== null && nowMs >= dueMs;
}

/** When to stage updates; null: there are none for this turn. */
function inTurnUpdateDueMs(s: Session): number | null {
  const isAtWork = s.phase.at === 'working' || s.phase.at === 'blocked';
  if (s.updates.queued.length === 0 || !isAtWork || s.attendance.control !== null || s.turn.interrupting !== null)
    return null;
  const [first] = fittingUpdates(s.updates.queued, s.spec.spawn?.chainMax);
  return first === undefined || turnOf(s) === undefined ? null : first.sinceMs + COALESCE_MS;
}

/** The prompt that the agent works on now. */
function turnOf(s: Session): Prompt | undefined {
  return s.prompts.find((p) => p.state === 'accepted' && p.run === runOf(s) && !p.command && !p.remedy);
}

function staged(s: Session): Step | null {
  const prompt = turnOf(s);
  const updates = fittingUpdates(s.updates.queued, s.spec.spawn?.chainMax);
  if (prompt === undefined) return null;
  return append({
    type: 'update.staged',
    // Unique: no other event of any session has this session and number.
    inTurnUpdate: `${s.id}.${s.seq + 1}`,
    run: runOf(s),
    prompt: prompt.id,
    positions: updates.map(({ position }) => position),
    chain: Math.max(...updates.map(({ chain }) => chain)),
  });
}

function deliveredBody({ id, prompt, positions, chain }: InTurnUpdate): EventBody {
  return { type: 'update.delivered', prompt, count: positions.length, chain, inTurnUpdate: id };
}

function withdrawn({ id, positions }: InTurnUpdate, taken: boolean): EventBody {
  return { type: 'update.withdrawn', inTurnUpdate: id, count: positions.length, taken };
}
