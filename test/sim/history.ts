// One history: a story, played with the supervisor killed or the power cut at chosen points.
import type { Clock } from '../../src/base/clock.ts';
import { person } from '../../src/core/actor.ts';
import type { Event, InputId } from '../../src/core/event.ts';
import type { Approval, PromptId, SessionId } from '../../src/core/session.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { Loop } from '../../src/supervisor/loop.ts';
import { SessionWriter } from '../../src/supervisor/session-writer.ts';
import type { Script } from './scripts.ts';
import { Servers } from './servers.ts';
import { World } from './world.ts';

export type Disaster = 'kill' | 'power' | null;
/** What happens at a crash point, by its number. */
export type Fate = (point: number) => Disaster;

export interface History {
  readonly events: readonly Event[];
  readonly points: number;
  readonly powerCuts: number;
  readonly strikes: number;
  /** The last event of the journal at each strike. */
  readonly struckAt: readonly number[];
  readonly world: World;
}

class Struck extends Error {
  readonly disaster: Disaster;
  constructor(disaster: Disaster) {
    super('struck');
    this.disaster = disaster;
  }
}

/** Made once: the trace of an error costs more than the history it ends. */
const STRUCK = { kill: new Struck('kill'), power: new Struck('power'), restored: new Struck(null) } as const;

const ID = 's1' as SessionId;
/** A supervisor that is down is started again by its service manager. */
const DOWN_MS = 60;
const BEATS_MAX = 5_000;

/** Tells one history to its end. */
export async function tell(script: Script, fate: Fate): Promise<History> {
  let points = 0;
  let powerCuts = 0;
  const struckAt: number[] = [];
  const point = (): void => {
    points += 1;
    const disaster = fate(points);
    if (disaster !== null) throw STRUCK[disaster];
  };
  const world = new World(script, point);
  const journal = crashing(memoryJournal(), world);
  let created = false;
  for (;;) {
    try {
      if (!created) create(script, journal, world);
      created = true;
      await supervise(script, journal, world);
      break;
    } catch (error) {
      if (!(error instanceof Struck)) throw error;
      // To restore a journal is part of the story.
      created ||= journal.live().length > 0;
      if (error.disaster !== null) struckAt.push(created ? (journal.session(ID).events.at(-1)?.seq ?? 0) : 0);
      if (error.disaster === 'power') {
        powerCuts += 1;
        world.reboot();
      }
    }
    world.advance(world.nowMs + DOWN_MS);
  }
  world.advance(world.nowMs + 2_000); // late launchers and dying words must change nothing
  return { events: journal.session(ID).events, points, powerCuts, strikes: struckAt.length, struckAt, world };
}

/** Every append can be struck before and after it is durable. */
function crashing(journal: Journal, world: World): Journal {
  const append = journal.append.bind(journal);
  journal.append = (write) => {
    world.point();
    const result = append(write);
    if (result !== 'seen' && result !== 'stale') world.notice(write.events);
    world.point();
    return result;
  };
  return journal;
}

function clockOf(world: World): Clock {
  return { wallMs: () => world.lots.wallMs(world.nowMs), steadyMs: () => world.nowMs, sleep: () => Promise.resolve() };
}

function create(script: Script, journal: Journal, world: World): void {
  const boot = script.spec.drive === 'command' && !script.queued ? world.boot : null;
  SessionWriter.create(journal, clockOf(world), { id: ID, spec: script.spec, cause: 'start' as InputId, boot });
}

/** One supervisor lifetime. Returns when the session has ended. */
async function supervise(script: Script, journal: Journal, world: World): Promise<void> {
  const clock = clockOf(world);
  const writer = SessionWriter.open(journal, clock, ID);
  if (!(writer instanceof SessionWriter)) throw new Error('unreadable');
  const servers = new Servers(world, clock, writer);
  const loop = new Loop(writer, {
    clock,
    ingest: async () => {
      ingest(writer, world);
      await servers.ingest();
      // Whoever waited for that comes at once.
      takeInputs(script, writer, world);
    },
    look: async (session) => {
      // Time passes while we look, and what is ingested before it may be less than there is by then.
      world.advance(world.nowMs + (script.lookMs ?? 0));
      return script.wire === undefined ? world.look(session) : { ...world.look(session), ...servers.look(session) };
    },
    slot: () => true,
    act: async (session, effect) => {
      const isTold = effect.kind === 'deliver' || effect.kind === 'answer' || effect.kind === 'interrupt';
      if (script.wire !== undefined && isTold) await servers.act(session, effect);
      else world.act(session, effect);
    },
  });
  if (script.spec.drive !== 'command') {
    writer.submit('p1' as InputId, { type: 'prompt', prompt: 'p1' as PromptId, text: 'Fix the tests' });
  }
  for (let beats = 0; beats < BEATS_MAX; beats += 1) {
    restore(script, journal, writer);
    const stepped = await loop.step();
    if (stepped.is === 'over') return;
    if (stepped.is === 'again') continue;
    const toMs = Math.min(stepped.untilMs ?? Number.POSITIVE_INFINITY, world.dueMs());
    if (toMs === Number.POSITIVE_INFINITY) giveUp(writer);
    else world.advance(Math.max(toMs, world.nowMs));
  }
  throw new Error(`no end in snapshot, in ${writer.session.phase.at}`);
}

/** The journal is restored: as one that is rebuilt, it says so, and whoever had it is gone. */
function restore({ restored }: Script, journal: Journal, writer: SessionWriter): void {
  if (restored === undefined) return;
  const types = journal.session(ID).events.map(({ body }) => body.type);
  const isOver = types.includes('session.restored') || types.includes('session.ended');
  if (isOver || !types.includes(restored)) return;
  writer.append([{ type: 'session.restored', journal: 'j2' }], null);
  throw STRUCK.restored;
}

/** An unsure prompt is never sent again automatically. A person who sees it stops the session. */
function giveUp(writer: SessionWriter): void {
  if (writer.session.prompts[0]?.state !== 'unsure') throw new Error(`stuck in ${writer.session.phase.at}`);
  writer.submit('give-up' as InputId, { type: 'stop', by: person(null) });
}

/** A late decision comes after the agent has deferred the call. */
function isDecided({ defers }: Script, { session }: SessionWriter, { id, call }: Approval): boolean {
  if (defers === undefined) return true;
  const isNever = defers.never !== undefined && call?.startsWith(defers.never) === true;
  // A call before a prompt that is not received yet is not deferred.
  const isBefore = session.prompts.some(({ state }) => state === 'sending');
  return (
    !isNever && (isBefore || (session.gate.deferred?.approval === id && session.gate.deferred.is === defers.decide))
  );
}

/** What the hooks dropped, again and again until it is durable. */
function ingest(writer: SessionWriter, world: World): void {
  for (let delivery = world.spool[0]; delivery !== undefined; delivery = world.spool[0]) {
    writer.submit(delivery.id, delivery.input);
    world.spool.shift(); // only after it is durable: redelivery is possible, loss is not
  }
}

/** Decisions of a person and wishes of a caller: delivered again and again until they are durable. */
function takeInputs(script: Script, writer: SessionWriter, world: World): void {
  const asked = writer.session.gate.approvals[0];
  if (asked !== undefined && !script.nobodyAnswers && isDecided(script, writer, asked)) {
    writer.submit(`decide-${asked.id}` as InputId, {
      type: 'decide',
      approval: asked.id,
      allow: true,
      by: person('ana'),
    });
  }
  for (const { id, input } of world.callers.due(world.nowMs)) writer.submit(id, input);
}
