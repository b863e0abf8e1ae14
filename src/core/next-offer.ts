import type { EventBody, Step } from './event.ts';
import { COALESCE_MS } from './next-wake.ts';
import { type Offer, offerable, offerText } from './offer.ts';
import { type Prompt, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, append, wait } from './steps.ts';

/** An agent writes down what it was told sooner than this. */
const WRITTEN_MS = 3_000;
/** How soon to look whether it has; ever more slowly. */
const LOOK_MS = 100;

/** News for an agent at work: they are laid out for the hook after its next tool. */
export function nextOffer(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const { offer } = s;
  if (offer === null) return isDue(s, nowMs) ? offered(s) : null;
  if (snapshot.offer === 'told') return append(toldBody(offer));
  const isToLay = snapshot.offer === 'none' && offer.run === runOf(s) && snapshot.terminal.is === 'alive';
  return isToLay ? act({ kind: 'offer', run: offer.run, offer: offer.id, text: offerText(s, offer) }) : null;
}

/** When to look at an agent at work for the sake of its news; null: there is no reason to. */
export function offerLookMs(s: Session, snapshot: Snapshot, nowMs: number): number | null {
  const { offer } = s;
  if (offer === null) return offerDueMs(s);
  return snapshot.offer === 'taken' ? nowMs + Math.max(LOOK_MS, (nowMs - offer.sinceMs) / 10) : null;
}

/** Its turn is over: what nobody took is taken back, before anything else is done. */
export function nextTakenBack(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const { offer, phase } = s;
  if (offer === null || !(isOver(s, offer, snapshot) || isStale(s, offer, snapshot))) return null;
  switch (snapshot.offer) {
    case 'told':
      return append(toldBody(offer));
    case 'out':
      return act({ kind: 'withdraw', run: offer.run, offer: offer.id });
    case 'taken': {
      // Whoever is dead writes nothing more.
      const dueMs = snapshot.terminal.is === 'alive' && phase.at === 'idle' ? phase.sinceMs + WRITTEN_MS : nowMs;
      return nowMs < dueMs ? wait(Math.min(dueMs, nowMs + LOOK_MS)) : append(withdrawn(offer, true));
    }
    default:
      return append(withdrawn(offer, false));
  }
}

function isOver({ phase, run }: Session, offer: Offer, { terminal }: Snapshot): boolean {
  if (phase.at === 'closing' || phase.at === 'ended') return false;
  return offer.run !== run?.number || phase.at === 'idle' || terminal.is !== 'alive';
}

/** Some of it was read meanwhile, and nobody has taken it. */
function isStale({ wakes }: Session, { positions }: Offer, snapshot: Snapshot): boolean {
  if (snapshot.offer === 'taken' || snapshot.offer === 'told') return false;
  return positions.some((position) => wakes.every((wake) => wake.position !== position));
}

function isDue(s: Session, nowMs: number): boolean {
  const dueMs = offerDueMs(s);
  return dueMs !== null && nowMs >= dueMs;
}

/** When the news are laid out; null: there are none for this turn. */
function offerDueMs(s: Session): number | null {
  const isAtWork = s.phase.at === 'working' || s.phase.at === 'blocked';
  if (s.wakes.length === 0 || !isAtWork || s.attendance.control !== null || s.turn.interrupting !== null) return null;
  const [first] = offerable(s.wakes, s.spec.spawn?.chainMax);
  return first === undefined || turnOf(s) === undefined ? null : first.sinceMs + COALESCE_MS;
}

/** What the agent works on now. */
function turnOf(s: Session): Prompt | undefined {
  return s.prompts.find((p) => p.state === 'accepted' && p.run === runOf(s) && !p.command && !p.remedy);
}

function offered(s: Session): Step | null {
  const prompt = turnOf(s);
  const news = offerable(s.wakes, s.spec.spawn?.chainMax);
  if (prompt === undefined) return null;
  return append({
    type: 'wake.offered',
    // No other fact of any session is the same.
    offer: `${s.id}.${s.seq + 1}`,
    run: runOf(s),
    prompt: prompt.id,
    positions: news.map(({ position }) => position),
    chain: Math.max(...news.map(({ chain }) => chain)),
  });
}

function toldBody({ id, prompt, positions, chain }: Offer): EventBody {
  return { type: 'wake.told', prompt, count: positions.length, chain, offer: id };
}

function withdrawn({ id, positions }: Offer, taken: boolean): EventBody {
  return { type: 'wake.withdrawn', offer: id, count: positions.length, taken };
}
