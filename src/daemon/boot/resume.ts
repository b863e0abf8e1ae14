import { statSync } from 'node:fs';
import { continuationOf } from '../../agent/seam/continuation.ts';
import type { About, Conversations, Listed } from '../../agent/seam/conversations.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import { CONTRACT, type HandlerInput } from '../../api/contract.ts';
import type { ConversationView } from '../../api/contract-boot.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { run } from '../../base/spawn.ts';
import { errnoText } from '../../base/system-errors.ts';
import { inputId } from '../../core/cause.ts';
import type { Session, SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { firstText } from '../../supervisor/first-text.ts';
import { RecordTail } from '../../supervisor/record-tail.ts';
import type { TakeOver } from '../start/agent-start.ts';
import type { Sessions, Started } from '../start/sessions.ts';
import type { OwnedStart } from '../start/spawn-start.ts';
import { waitForChange } from '../waits/wait-for-change.ts';
import type { Seen } from './scan.ts';
import { readStore } from './stores.ts';

/** The dependencies of a resume. */
export interface ResumeParts extends TakeOverParts {
  readonly clock: Clock;
  readonly journal: Pick<Journal, 'taken' | 'find' | 'onAppend' | 'head'>;
}

interface TakeOverParts {
  readonly sessions: Pick<Sessions, 'start' | 'find'>;
  readonly isModelId: (agent: string, model: string) => boolean;
}

/** The caller of a resume. */
export interface Caller {
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
}

/** The options of a takeover. */
export interface TakeOverOptions {
  readonly prompt?: string | undefined;
  readonly trust?: boolean;
  /** Called right before the start; what it throws is thrown instead. */
  readonly check?: () => void;
  /** Two requests with the same key create one session. */
  readonly key?: string;
  /** Adds the calling session as the owner. */
  readonly owned?: (start: HandlerInput<'session.start'>) => OwnedStart;
}

/** The result of a try. */
export type Did = Pick<ConversationView, 'did' | 'detail' | 'session'>;

const FIRST_BYTES_MAX = 256 * 1024;
const LAST_BYTES_MAX = 8 * 1024 * 1024;
/** How long an agent may take to receive its prompt. */
const PROOF_MS_MAX = 90_000;
/** A query of a database costs more than a look at a file. */
const STORE_LOOK_MS = 500;
const REQUEST_MS_MAX = 60_000;
const ANSWERED: readonly Seen['is'][] = ['complete', 'trivial'];

/** Resumes a conversation and waits for proof that it continues. */
export async function resume(parts: ResumeParts, seen: Seen, caller: Caller, signal: AbortSignal): Promise<Did> {
  const { keeper, listed } = seen;
  if (keeper.resume.as === 'request') return request(parts, seen, caller, signal);
  const key = freshKey(parts.journal, `boot:${listed.id}:${seen.atMs}:${seen.bytes}`);
  const { row } = await takeOver(parts, seen, caller, { key });
  return proven(parts, row.session.id, signal);
}

/** A key for this interruption: the same one is resumed once, unless that session was removed. */
function freshKey(journal: ResumeParts['journal'], key: string, removed = 0): string {
  const one = removed === 0 ? key : `${key}:${removed}`;
  const session = journal.taken(inputId('start', one));
  return session === null || journal.find(session) !== null ? one : freshKey(journal, key, removed + 1);
}

/** Makes a conversation a session of ours: in its folder, with its model and its permission mode. */
export async function takeOver(
  { sessions, isModelId }: TakeOverParts,
  { keeper, listed, is }: Pick<Seen, 'keeper' | 'listed' | 'is'>,
  caller: Caller,
  options: TakeOverOptions,
): Promise<Started> {
  // Twice: reading takes a while, and need not begin at all.
  options.check?.();
  const about = await aboutOf(keeper, listed);
  const { model } = about;
  // An answered conversation has nothing to continue: it gets no prompt and waits for the next one.
  const isAnswered = options.prompt === undefined && ANSWERED.includes(is);
  const env = keeper.resume.as === 'session' ? keeper.resume.env(caller.env, listed.home) : caller.env;
  const input = CONTRACT['session.start'].input.parse({
    ...(options.key === undefined ? {} : { key: options.key }),
    name: nameFor(sessions, listed.id),
    agent: keeper.agent,
    cwd: about.cwd ?? env.HOME ?? '/',
    env,
    umask: caller.umask,
    drive: about.isLive ? 'live' : 'turns',
    ...(isAnswered ? {} : { prompt: options.prompt ?? continuationOf(about.asked, about.open) }),
    ...(model !== null && isModelId(keeper.agent, model) ? { model } : {}),
    // A conversation that was on a screen stays open; a turn in the background ends with its answer.
    keepOpen: about.isLive || isAnswered,
    trust: options.trust ?? false,
    notify: 'always',
  });
  const kept = modeKept(listed, about);
  options.check?.();
  return sessions.start(options.owned?.(input) ?? input, { conversation: listed.id, ...kept });
}

/** Ids that begin with a time have the same beginning if their conversations began shortly after each other. */
const NAME_CHARS = [8, 13, 18, 58];

/** A name that no live session has: the beginning of the id, as much as is needed. */
function nameFor(sessions: TakeOverParts['sessions'], id: string): string {
  const word = id.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
  const names = NAME_CHARS.map((length) => `boot-${word.slice(0, length)}`);
  return names.find((name) => !isLive(sessions, name)) ?? `boot-${word}`;
}

function isLive(sessions: TakeOverParts['sessions'], name: string): boolean {
  try {
    return sessions.find(name).live;
  } catch (error) {
    if (error instanceof OutlastError && error.code === 'session_not_found') return false;
    throw error;
  }
}

/** The permission mode it had before, so that it never gets more permissions. Throws if it cannot be passed on. */
function modeKept({ id }: Listed, { mode }: About): Omit<TakeOver, 'conversation'> {
  if (mode === null) return { mode: 'ask-all', modeWord: null };
  if ('lost' in mode)
    throw new OutlastError('not_supported', `the conversation ${id} cannot be taken over: ${mode.lost}`);
  return { mode: mode.mode, modeWord: mode.word };
}

/** Read in pieces: the end of a conversation can be long, and all sessions of the host wait for the event loop. */
async function aboutOf(keeper: Conversations, listed: Listed): Promise<About> {
  if (listed.stored !== undefined) return readWhole(keeper.about('', listed), listed.stored.row.end ?? '');
  const tail = new RecordTail(listed.path, keeper.about(firstText(listed.path, FIRST_BYTES_MAX), listed));
  await tail.readOn(LAST_BYTES_MAX);
  return tail.view;
}

/** An agent that has received its prompt is at work; one that was only started may never be. */
async function proven(parts: ResumeParts, id: SessionId, signal: AbortSignal): Promise<Did> {
  const { clock, journal, sessions } = parts;
  const dueMs = clock.steadyMs() + PROOF_MS_MAX;
  while (!signal.aborted && clock.steadyMs() < dueMs) {
    const position = journal.head();
    const did = didOf(sessions.find(id).session);
    if (did !== null) return { ...did, session: id };
    const isChanged = (): boolean => journal.head() > position;
    await waitForChange(parts, { session: id, files: [] }, isChanged, signal, dueMs - clock.steadyMs());
  }
  return { did: 'failed', detail: `no activity within ${PROOF_MS_MAX / 1_000} s`, session: id };
}

function didOf({ phase, prompts, turn: { last } }: Session): Omit<Did, 'session'> | null {
  if (phase.at === 'held') return { did: 'held', detail: phase.why.text };
  if (phase.at === 'limited') return { did: 'resumed', detail: 'it waits for a usage limit' };
  const isFailed = last?.how === 'failed' || (phase.at === 'ended' && last?.how !== 'answered');
  if (isFailed) return { did: 'failed', detail: last?.reply ?? 'it ended before it received its prompt' };
  const isHeard = last !== null || prompts.some(({ state }) => state === 'accepted');
  return isHeard ? { did: 'resumed', detail: null } : null;
}

/** Asks the program that owns the conversation to continue it; the proof is in its file. */
async function request(parts: ResumeParts, seen: Seen, caller: Caller, signal: AbortSignal): Promise<Did> {
  const { keeper, listed } = seen;
  if (keeper.resume.as !== 'request') return { did: 'failed', detail: 'it cannot be requested', session: null };
  const { asked, open } = await aboutOf(keeper, listed);
  const argv = keeper.resume.argv(listed, continuationOf(asked, open));
  const env = keeper.resume.env(caller.env, listed.home);
  const ran = await run(argv, { clock: parts.clock, env, msMax: REQUEST_MS_MAX });
  const said = ran.end === 'exited' && ran.status !== 0 ? ran.stderr.trim() || `exit ${ran.status}` : null;
  if (ran.end !== 'exited' || said !== null) {
    const why = ran.end === 'unstarted' ? `cannot be started: ${errnoText(ran.errno)}` : ran.end;
    return { did: 'failed', detail: `${argv[0]} ${said ?? why}`, session: null };
  }
  return grown(parts, seen, signal);
}

/** Waits until the conversation has grown. */
async function grown(parts: ResumeParts, { listed, bytes }: Seen, signal: AbortSignal): Promise<Did> {
  const { clock } = parts;
  const hasGrown = async (): Promise<boolean> => (await bytesOf(listed, clock)) > bytes;
  const dueMs = clock.steadyMs() + PROOF_MS_MAX;
  while (!signal.aborted && clock.steadyMs() < dueMs) {
    if (await hasGrown()) return { did: 'resumed', detail: 'it grows', session: null };
    if (listed.stored !== undefined) await clock.sleep(STORE_LOOK_MS, signal);
    else await waitForChange(parts, { session: null, files: [listed.path] }, hasGrown, signal);
  }
  return { did: 'failed', detail: `it did not grow within ${PROOF_MS_MAX / 1_000} s`, session: null };
}

async function bytesOf({ id, path, stored }: Listed, clock: Clock): Promise<number> {
  if (stored === undefined) return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const read = await readStore(stored.store, { id }, clock);
  return read.is === 'rows' ? (read.rows[0]?.bytes ?? 0) : 0;
}
