import type { Clock } from '../../client/clock.ts';
import { type Outlast, OutlastError, type Replied, type Session, type SessionView } from '../../client/index.ts';
import { EXIT } from '../base/exit.ts';
import { hasBroken, replyStatus } from '../views/reply.ts';
import { stateOf } from '../views/view.ts';
import { type BatchMemory, sumOf, type Usage } from './batch-state.ts';
import { fillReplies } from './fill.ts';
import type { Batch, Part } from './plan.ts';

/** The state of a part, or how it ended. */
export type PartState = 'waiting' | 'running' | 'answered' | 'failed' | 'stopped' | 'held' | 'skipped';

/** A part, and its result so far. */
export interface Row {
  readonly part: Part;
  state: PartState;
  /** Its session, once there is one. */
  session: string | null;
  view: SessionView | null;
  /** Answered by an earlier run. */
  isOld: boolean;
  try: number;
  reply: string | null;
  why: string | null;
  /** Includes the usage of earlier tries. */
  usage: Usage;
  sinceMs: number;
  tookMs: number | null;
}

/** What a batch runs with. */
export interface BatchDeps {
  readonly outlast: Outlast;
  readonly memory: BatchMemory;
  readonly clock: Clock;
  readonly onChange: (row: Row) => Promise<void>;
  /** A warning about a start. Each is reported once. */
  readonly onWarning: (warning: string) => Promise<void>;
}

/** After the reply an agent needs a moment to exit, and to report its cost. */
const END_MS_MAX = 5_000;

/** Errors that end the whole batch; every other error affects only one part. */
const FATAL = ['daemon_unreachable', 'state_unusable', 'config_invalid', 'journal_failed', 'internal'];

/** The parts of a batch as earlier runs left them. */
export function rowsOf(batch: Batch, memory: BatchMemory): Row[] {
  return batch.parts.map((part) => {
    const last = memory.last(part.name, part.fingerprint);
    const isOld = last?.is === 'answered';
    const isOver = last?.is === 'failed' || last?.is === 'stopped';
    const wasted = memory.wasted(part.name, part.fingerprint);
    return {
      ...{ part, state: isOld ? 'answered' : 'waiting', isOld, view: null, why: null },
      session: isOver ? null : (last?.session ?? null),
      try: (last?.try ?? 1) + (isOver ? 1 : 0),
      reply: isOld ? (last.reply ?? '') : null,
      usage: sumOf(isOld && last.usage ? [...wasted, last.usage] : wasted),
      sinceMs: 0,
      tookMs: isOld ? (last.tookMs ?? null) : null,
    };
  });
}

/**
 * Starts what can be started, a limited number at once, until nothing is left to do. Every start uses a key that a
 * second run computes again, so that it finds the session instead of starting another.
 */
export async function work(batch: Batch, rows: readonly Row[], deps: BatchDeps, signal: AbortSignal): Promise<void> {
  const going = new Map<Row, Promise<void>>();
  let places = batch.concurrency;
  const begin = (row: Row): void => {
    const running = runRow(batch, rows, row, deps, signal).finally(() => going.delete(row));
    const counted = running.then((is) => {
      places = is === 'over' ? Math.min(places + 1, batch.concurrency) : Math.max(rows.filter(isOpen).length, 1);
    });
    counted.catch(() => {});
    going.set(row, counted);
  };
  for (;;) {
    for (const row of skippable(rows)) await settle(row, 'skipped', deps);
    for (const row of rows) if (going.size < places && isReady(row, rows)) begin(row);
    if (going.size > 0) await Promise.race(going.values());
    else if (!(await lookAgain(rows, deps, signal))) return;
  }
}

/** A person may have helped a held session while others went on. */
async function lookAgain(rows: readonly Row[], deps: BatchDeps, signal: AbortSignal): Promise<boolean> {
  const { outlast } = deps;
  let isSome = false;
  for (const row of rows.filter(({ state }) => state === 'held')) {
    const session = await find(outlast, row.session ?? '', signal);
    if (session === null) {
      row.why = 'its session was removed';
      await settle(row, 'stopped', deps);
    } else if (session.held !== null || session.prompts.some(({ state }) => state === 'unsure')) continue;
    else row.state = 'waiting';
    isSome = true;
  }
  return isSome;
}

async function find(outlast: Outlast, id: string, signal: AbortSignal): Promise<SessionView | null> {
  try {
    return (await outlast.show(id, signal)).session;
  } catch (error) {
    if (error instanceof OutlastError && error.code === 'session_not_found') return null;
    throw error;
  }
}

/** Does it have a session that has not ended? */
function isOpen({ state, session }: Row): boolean {
  return state === 'running' && session !== null;
}

function isReady(row: Row, rows: readonly Row[]): boolean {
  return row.state === 'waiting' && before(row, rows).every(({ state }) => state === 'answered');
}

function skippable(rows: readonly Row[]): Row[] {
  return rows.filter((row) => {
    if (row.state !== 'waiting') return false;
    const missing = before(row, rows).find(({ state }) => ['failed', 'stopped', 'skipped'].includes(state));
    if (missing !== undefined) row.why = `it depends on ${missing.part.name}, which ${pastOf(missing.state)}`;
    return missing !== undefined;
  });
}

function pastOf(state: PartState): string {
  return state === 'failed' ? 'failed' : `was ${state}`;
}

function before({ part }: Row, rows: readonly Row[]): Row[] {
  return rows.filter((row) => part.after.includes(row.part.name));
}

async function runRow(
  batch: Batch,
  rows: readonly Row[],
  row: Row,
  deps: BatchDeps,
  signal: AbortSignal,
): Promise<'over' | 'refused'> {
  const { clock, onChange } = deps;
  row.state = 'running';
  row.sinceMs = clock.steadyMs();
  try {
    const session = await start(batch, rows, row, deps, signal);
    await onChange(row);
    const replied = await session.reply({ throughLimits: true, owner: true }, signal);
    await finish(row, replied, deps, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof OutlastError) || FATAL.includes(error.code)) throw error;
    // The caller may be a session with a limit on its children: each one that ends makes room.
    if (error.code === 'spawn_refused' && rows.some(isOpen)) {
      row.state = 'waiting';
      return 'refused';
    }
    // Two at once would conflict: the person must end the one that runs with the old prompt.
    const helps = error.code === 'name_taken' ? `; wait until it ends, or: outlast stop ${row.part.sessionName}` : '';
    row.why = `${error.message}${helps}`;
    await settle(row, 'failed', deps);
  }
  return 'over';
}

async function start(
  batch: Batch,
  rows: readonly Row[],
  row: Row,
  { outlast, memory, clock, onWarning }: BatchDeps,
  signal: AbortSignal,
): Promise<Session> {
  const { part } = row;
  const prompt = fillReplies(part.prompt, (name) => replyFor(name, batch, rows));
  for (; ; row.try += 1) {
    const entry = { part: part.name, fingerprint: part.fingerprint, try: row.try };
    memory.put({ ...entry, is: 'starting' });
    const key = ['batch', batch.id, memory.round, part.fingerprint, row.try].join('-');
    const input = { ...part.input, key, name: part.sessionName, prompt, keepOpen: false, background: false };
    try {
      const session = await outlast.start(input, signal);
      row.session = session.id;
      row.view = session.started;
      // A session that an earlier run started has been running for a while.
      row.sinceMs -= Math.max(clock.wallMs() - (session.started?.createdAtMs ?? clock.wallMs()), 0);
      memory.put({ ...entry, is: 'started', session: session.id });
      for (const warning of session.warnings) await onWarning(warning);
      return session;
    } catch (error) {
      // The key is known, but its session was removed before its reply was read.
      if (!(error instanceof OutlastError && error.code === 'session_not_found')) throw error;
    }
  }
}

/** The reply of one part; for several, each under its name. */
function replyFor(name: string, batch: Batch, rows: readonly Row[]): string {
  const replyOf = (part: string): string => rows.find((row) => row.part.name === part)?.reply ?? '';
  const names = batch.groups.get(name);
  return names === undefined ? replyOf(name) : names.map((each) => `# ${each}\n\n${replyOf(each)}`).join('\n\n');
}

async function finish(row: Row, replied: Replied, deps: BatchDeps, signal: AbortSignal): Promise<void> {
  const { outlast } = deps;
  const status = replyStatus(replied);
  row.view = replied.session;
  if (status === EXIT.held) {
    row.why = replied.session.held ?? 'it is not known whether it received the prompt';
    return settle(row, 'held', deps);
  }
  const { session } = await outlast.wait({ session: replied.session.id, for: 'ended', timeoutMs: END_MS_MAX }, signal);
  row.view = session;
  row.reply = replied.reply;
  row.usage = sumOf([row.usage, session.usage]);
  if (replied.met === 'answered') return settle(row, 'answered', deps);
  row.why = replied.met === 'failed' ? (replied.reply ?? 'no reason given') : stateOf(session);
  return settle(row, status === EXIT.stopped && !hasBroken(session) ? 'stopped' : 'failed', deps);
}

/** Records how a part ended, then reports it. A part that needs a person, or waits for others, has not ended. */
async function settle(row: Row, state: PartState, { memory, clock, onChange }: BatchDeps): Promise<void> {
  const { part, session, why, view } = row;
  row.tookMs = tookOf(row, clock);
  row.state = state;
  if (state === 'answered' || state === 'failed' || state === 'stopped') {
    const { name, fingerprint } = part;
    const usage = view?.usage ?? null;
    const { reply, tookMs } = row;
    memory.put({ part: name, fingerprint, try: row.try, is: state, session, why, usage, reply, tookMs });
  }
  await onChange(row);
}

/**
 * From the session's own times when it has ended: an earlier run of the batch may have started it, and not seen its
 * end.
 */
function tookOf({ view, sinceMs }: Row, clock: Clock): number | null {
  if (view !== null && view.endedAtMs !== null) return view.endedAtMs - view.createdAtMs;
  return sinceMs === 0 ? null : clock.steadyMs() - sinceMs;
}
