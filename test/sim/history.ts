// One history: a story that is played with the supervisor killed or the power cut at chosen points.
import type { Clock } from '../../src/base/clock.ts';
import { person } from '../../src/core/actor.ts';
import type { Event, InputId } from '../../src/core/event.ts';
import { openQuestionsOf } from '../../src/core/postponed.ts';
import type { Approval, PromptId, Session, SessionId } from '../../src/core/session.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { Loop } from '../../src/supervisor/loop.ts';
import { SessionWriter } from '../../src/supervisor/session-writer.ts';
import type { Script } from './scripts.ts';
import { Servers } from './servers.ts';
import { World } from './world.ts';

export type InjectedFault = 'kill' | 'power' | null;
/** The fault to inject at each crash point, by the number of the point. */
export type FaultPlan = (point: number) => InjectedFault;

export interface History {
  readonly events: readonly Event[];
  readonly points: number;
  readonly powerCuts: number;
  readonly faultCount: number;
  /** The sequence number of the last event at each injected fault. */
  readonly faultedAt: readonly number[];
  readonly world: World;
}

class Crash extends Error {
  readonly fault: InjectedFault;
  constructor(fault: InjectedFault) {
    super('crash');
    this.fault = fault;
  }
}

/** Created once: the stack trace of an error costs more than the history that it ends. */
const CRASHES = { kill: new Crash('kill'), power: new Crash('power'), restored: new Crash(null) } as const;

const ID = 's1' as SessionId;
/** How long it takes until the service manager restarts the supervisor. */
const DOWN_MS = 60;
const STEPS_MAX = 5_000;

/** Plays one history to its end. */
export async function playHistory(script: Script, plan: FaultPlan): Promise<History> {
  let points = 0;
  let powerCuts = 0;
  const faultedAt: number[] = [];
  const point = (): void => {
    points += 1;
    const fault = plan(points);
    if (fault !== null) throw CRASHES[fault];
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
      if (!(error instanceof Crash)) throw error;
      // Restoring a journal is part of the story, not an injected fault.
      created ||= journal.live().length > 0;
      if (error.fault !== null) faultedAt.push(created ? (journal.session(ID).events.at(-1)?.seq ?? 0) : 0);
      if (error.fault === 'power') {
        powerCuts += 1;
        world.reboot();
      }
    }
    world.advance(world.nowMs + DOWN_MS);
  }
  world.advance(world.nowMs + 2_000); // late launchers and late hooks must not change anything
  return { events: journal.session(ID).events, points, powerCuts, faultCount: faultedAt.length, faultedAt, world };
}

/** A journal with a crash point before each append, and one after it is durable. */
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
  return {
    wallMs: () => world.turnOutcomes.wallMs(world.nowMs),
    steadyMs: () => world.nowMs,
    sleep: () => Promise.resolve(),
  };
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
      // Inputs that these events trigger are submitted at once.
      submitInputs(script, writer, world);
    },
    look: async (session) => {
      // Time passes during a look, so there may be reports that were not ingested before it.
      world.advance(world.nowMs + (script.lookMs ?? 0));
      return script.wire === undefined ? world.look(session) : { ...world.look(session), ...servers.look(session) };
    },
    slot: () => true,
    act: async (session, effect) => {
      const isMessage = effect.kind === 'deliver' || effect.kind === 'answer' || effect.kind === 'interrupt';
      if (script.wire !== undefined && isMessage) await servers.act(session, effect);
      else world.act(session, effect);
    },
  });
  if (script.spec.drive !== 'command') {
    writer.submit('p1' as InputId, { type: 'prompt', prompt: 'p1' as PromptId, text: 'Fix the tests' });
  }
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    restore(script, journal, writer);
    const stepped = await loop.step();
    if (stepped.is === 'over') return;
    if (stepped.is === 'again') continue;
    const toMs = Math.min(stepped.untilMs ?? Number.POSITIVE_INFINITY, world.dueMs());
    if (toMs === Number.POSITIVE_INFINITY) giveUp(writer);
    else world.advance(Math.max(toMs, world.nowMs));
  }
  throw new Error(`the session does not end, it is in ${writer.session.phase.at}`);
}

/** Restores the journal, which records this as a rebuilt one does. The supervisor that had it open is gone. */
function restore({ restoredAfter }: Script, journal: Journal, writer: SessionWriter): void {
  if (restoredAfter === undefined) return;
  const types = journal.session(ID).events.map(({ body }) => body.type);
  const isOver = types.includes('session.restored') || types.includes('session.ended');
  if (isOver || !types.includes(restoredAfter)) return;
  writer.append([{ type: 'session.restored', journal: 'j2' }], null);
  throw CRASHES.restored;
}

/** An unsure prompt is never sent again automatically. A person who sees it stops the session. */
function giveUp(writer: SessionWriter): void {
  if (writer.session.prompts[0]?.state !== 'unsure') throw new Error(`stuck in ${writer.session.phase.at}`);
  writer.submit('give-up' as InputId, { type: 'stop', by: person(null) });
}

/** Whether the decision is due. In some scripts it comes after the agent has deferred the call. */
function isDecided({ defers, postpones }: Script, { session }: SessionWriter, { id, call }: Approval): boolean {
  if (postpones !== undefined) return isDecidedLate(postpones.decide, session, id);
  if (defers === undefined) return true;
  const isNever = defers.never !== undefined && call?.startsWith(defers.never) === true;
  // A call that precedes a prompt in transit is not deferred.
  const isBefore = session.prompts.some(({ state }) => state === 'sending');
  return (
    !isNever && (isBefore || (session.gate.deferred?.approval === id && session.gate.deferred.is === defers.decide))
  );
}

/** Whether the decision is due about a question whose agent does not wait for ever. */
function isDecidedLate(when: 'over' | 'during' | 'again', session: Session, id: string): boolean {
  const isPostponed = session.gate.approvals.every((asked: Approval) => asked.id !== id);
  const isAgain = session.gate.answers.some(({ approval, allow }) => approval === id && !allow);
  if (when === 'again') return isAgain && !isPostponed;
  return isPostponed && (when === 'during' || session.phase.at === 'idle');
}

/** Submits the spooled hook reports, each until it is durable. */
function ingest(writer: SessionWriter, world: World): void {
  for (let delivery = world.spool[0]; delivery !== undefined; delivery = world.spool[0]) {
    writer.submit(delivery.id, delivery.input);
    world.spool.shift(); // only after it is durable: redelivery is possible, loss is not
  }
}

/** Submits decisions of a person and inputs of callers: again and again until they are durable. */
function submitInputs(script: Script, writer: SessionWriter, world: World): void {
  const asked = openQuestionsOf(writer.session)[0];
  if (asked !== undefined && !script.nobodyAnswers && isDecided(script, writer, asked)) {
    writer.submit(`decide-${asked.id}` as InputId, {
      type: 'decide',
      approval: asked.id,
      allow: script.postpones?.allow ?? true,
      by: person('ana'),
    });
  }
  for (const { id, input } of world.callers.due(world.nowMs)) writer.submit(id, input);
}
