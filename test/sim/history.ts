// One history: a story, told with the supervisor killed or the power cut at chosen points, and the checks on what
// the journal and the world say at its end.
import type { Clock } from '../../src/base/clock.ts';
import type { Event, InputId } from '../../src/core/event.ts';
import { apply, runOf } from '../../src/core/fold.ts';
import type { PromptId, Session, SessionId } from '../../src/core/session.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { Book } from '../../src/supervisor/book.ts';
import { Loop } from '../../src/supervisor/loop.ts';
import type { Script } from './scripts.ts';
import { World } from './world.ts';

export type Disaster = 'kill' | 'power' | null;
/** What happens at a crash point, by its number. */
export type Fate = (point: number) => Disaster;

export interface History {
  readonly events: readonly Event[];
  readonly points: number;
  readonly powerCuts: number;
  readonly strikes: number;
  readonly world: World;
}

class Struck extends Error {
  readonly disaster: Disaster;
  constructor(disaster: Disaster) {
    super('struck');
    this.disaster = disaster;
  }
}

const ID = 's1' as SessionId;
/** A supervisor that is down is started again by its service manager. */
const DOWN_MS = 60;
const BEATS_MAX = 5_000;

/** Tells one history to its end. */
export async function tell(script: Script, fate: Fate): Promise<History> {
  let points = 0;
  let powerCuts = 0;
  let strikes = 0;
  const point = (): void => {
    points += 1;
    const disaster = fate(points);
    if (disaster !== null) throw new Struck(disaster);
  };
  const journal = crashing(memoryJournal(), point);
  const world = new World(script, journal, point);
  let created = false;
  for (;;) {
    try {
      if (!created) create(script, journal, world);
      created = true;
      await supervise(script, journal, world);
      break;
    } catch (error) {
      if (!(error instanceof Struck)) throw error;
      strikes += 1;
      created ||= journal.live().length > 0;
      if (error.disaster === 'power') {
        powerCuts += 1;
        world.reboot();
      }
    }
    world.advance(world.nowMs + DOWN_MS);
  }
  world.advance(world.nowMs + 2_000); // late launchers and dying words must change nothing
  return { events: journal.session(ID).events, points, powerCuts, strikes, world };
}

/** Every append can be struck before and after it is durable. */
function crashing(journal: Journal, point: () => void): Journal {
  const append = journal.append.bind(journal);
  journal.append = (write) => {
    point();
    const result = append(write);
    point();
    return result;
  };
  return journal;
}

function clockOf(world: World): Clock {
  return { wallMs: () => world.nowMs, steadyMs: () => world.nowMs, sleep: () => Promise.resolve() };
}

function create(script: Script, journal: Journal, world: World): void {
  Book.create(journal, clockOf(world), { id: ID, spec: script.spec, cause: 'start' as InputId });
}

/** One supervisor lifetime. Returns when the session has ended. */
async function supervise(script: Script, journal: Journal, world: World): Promise<void> {
  const clock = clockOf(world);
  const book = Book.open(journal, clock, ID);
  if (!(book instanceof Book)) throw new Error('unreadable');
  const loop = new Loop(book, {
    clock,
    look: async (session) => world.look(session),
    slot: () => true,
    act: async (session, effect) => world.act(session, effect),
  });
  if (script.spec.drive !== 'command') {
    book.take('p1' as InputId, { type: 'prompt', prompt: 'p1' as PromptId, text: 'Fix the tests' });
  }
  for (let beats = 0; beats < BEATS_MAX; beats += 1) {
    takeInputs(script, book, world);
    const beat = await loop.beat();
    if (beat.is === 'over') return;
    if (beat.is === 'again') continue;
    const wishMs = Math.min(...(script.wishes ?? []).map((w) => w.atMs).filter((atMs) => atMs > world.nowMs));
    const toMs = Math.min(beat.untilMs ?? Number.POSITIVE_INFINITY, world.dueMs(), wishMs);
    if (toMs === Number.POSITIVE_INFINITY) giveUp(book);
    if (toMs === Number.POSITIVE_INFINITY) continue;
    world.advance(Math.max(toMs, world.nowMs));
  }
  throw new Error(`no end in sight, in ${book.session.phase.at}`);
}

/** A prompt that may or may not have been heard is never sent again by us. A person who sees that stops the session. */
function giveUp(book: Book): void {
  if (book.session.prompts[0]?.state !== 'unsure') throw new Error(`stuck in ${book.session.phase.at}`);
  book.take('give-up' as InputId, { type: 'stop', by: 'a person' });
}

/**
 * Hooks from the spool, decisions of a person, wishes of a caller: delivered again and again until they are durable.
 */
function takeInputs(script: Script, book: Book, world: World): void {
  for (let delivery = world.spool[0]; delivery !== undefined; delivery = world.spool[0]) {
    book.take(delivery.id, delivery.input);
    world.spool.shift(); // only after it is durable: redelivery is possible, loss is not
  }
  const asked = book.session.approvals[0];
  if (asked !== undefined && !script.nobodyAnswers) {
    book.take(`decide-${asked.id}` as InputId, { type: 'decide', approval: asked.id, allow: true, by: 'ana' });
  }
  for (const [i, wish] of (script.wishes ?? []).entries()) {
    if (wish.atMs <= world.nowMs) book.take(`wish-${i}` as InputId, wish.input);
  }
}

/** What must be true of every history. Returns what is not. */
export function faultsOf(script: Script, history: History): string[] {
  const { events, world, powerCuts } = history;
  const faults: string[] = [];
  const expect = (right: boolean, why: string): void => {
    if (!right) faults.push(why);
  };
  const count = (type: string): number => events.filter((e) => e.body.type === type).length;
  const last = events.at(-1)?.body;
  const outcome = last?.type === 'session.ended' ? last.outcome : null;
  expect(outcome !== null, 'the last event is not session.ended');
  expect(count('session.ended') === 1, 'ended other than once');
  expect(count('session.created') === 1, 'created other than once');
  // A cut of the power may cost a command its end, but never more than that.
  const kinds = powerCuts > 0 && script.spec.drive === 'command' ? [script.ends, 'abandoned', 'done'] : [script.ends];
  if (isUnsure(history)) kinds.push('stopped');
  expect(outcome !== null && kinds.includes(outcome.kind), `ended ${outcome?.kind}, not ${script.ends}`);
  if (outcome?.kind === 'done' && script.spec.drive === 'command') {
    expect(outcome.exit?.status === 7, "the exit status is not the command's own");
    expect(world.ledger[0] === 'command', 'done without having run');
  }
  expect(world.aliveMax <= 1, 'two runs alive at once');
  expect(new Set(world.ledger).size === world.ledger.length, `done twice: ${world.ledger.join(', ')}`);
  const answer = world.ledger.findIndex((line) => line.startsWith('answer'));
  expect(answer < 0 || answer === world.ledger.length - 1, `went on after the answer: ${world.ledger.join(', ')}`);
  const left = script.leaves && outcome?.kind === 'done' ? 1 : 0;
  expect(world.alive() <= left, 'a process is left of an ended session');
  const unready = events.some((e) => e.body.type === 'run.faulted' && e.body.fault.kind === 'unready');
  expect(!unready, 'the agent was ready, and nobody heard');
  faults.push(...promptFaults(script, history));
  let session: Session | null = null;
  for (const event of events) {
    session = apply(session, event);
    const { body } = event;
    if (body.type.startsWith('run.') && 'run' in body)
      expect(body.run === runOf(session), `old news believed: ${body.type}`);
  }
  return faults;
}

/** Struck between the intent and its proof, and never heard by the agent: the one case that is left to a person. */
export function isUnsure({ events, world, strikes }: History): boolean {
  const sent = events
    .flatMap((e) => (e.body.type === 'prompt.sending' ? [`${e.body.prompt}#${e.body.turn}`] : []))
    .at(-1);
  return strikes > 0 && events.some((e) => e.body.type === 'prompt.unsure') && !world.ledger.includes(`hear ${sent}`);
}

function promptFaults(script: Script, history: History): string[] {
  if (script.spec.drive === 'command' || isUnsure(history)) return [];
  const { events } = history;
  const faults: string[] = [];
  const answers = events.flatMap((e) => (e.body.type === 'prompt.answered' ? [e.body.reply] : []));
  if (answers.length !== 1) faults.push(`answered ${answers.length} times`);
  if (answers.some((reply) => reply !== 'All green.')) faults.push(`wrong reply: ${answers.join(', ')}`);
  const asked = events.flatMap((e) => (e.body.type === 'approval.asked' ? [e.body.approval] : []));
  if (new Set(asked).size !== asked.length) faults.push('an approval was asked twice');
  const allowed = events.filter((e) => e.body.type === 'approval.decided' && e.body.allow && e.body.by === 'timeout');
  if (allowed.length > 0) faults.push('an approval was allowed by silence');
  return faults;
}

/** The journal of a history, for people. */
export function show(events: readonly Event[]): string {
  return events
    .map(({ seq, steadyMs, body }) => {
      const what = body.type === 'session.created' ? body.type : JSON.stringify(body);
      return `${String(seq).padStart(3)} ${String(steadyMs).padStart(6)}  ${what}`;
    })
    .join('\n');
}
