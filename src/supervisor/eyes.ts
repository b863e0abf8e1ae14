import { accessSync, closeSync, constants, fstatSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Talk, TranscriptRead, TurnEnd } from '../agent/seam/agent.ts';
import type { Prompt, Session, SessionId } from '../core/session.ts';
import type { Sight, TranscriptSight } from '../core/sight.ts';
import { say, tokenOf } from '../core/steps.ts';
import { runFolder } from '../terminal/run-folder.ts';
import { openIfThere, readIfThere } from '../terminal/small-file.ts';
import { readSurroundings } from './surroundings.ts';

/** Of a transcript, so much of the end is read: more than most turns ever write. */
const TAIL_BYTES_MAX = 8 * 1024 * 1024;
/** And so much, where a turn that wrote more broke off. */
const LONG_TAIL_BYTES_MAX = 64 * 1024 * 1024;
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
/** The same of what a sub-agent writes: there may be many. */
const SIDE_BYTES_MAX = 1024 * 1024;
/** The agent's clock is ours, but a step of the clock must not make us deaf. */
const CLOCK_SLACK_MS = 2_000;

interface Read extends TranscriptRead {
  /** Tells whether the file has changed since. */
  readonly key: string;
  readonly bytesMax: number;
  /** There is more of it, before what was read. */
  readonly isCut: boolean;
}

const NOTHING: Read = { isBegun: false, prompts: [], spoken: [], key: '', bytesMax: 0, isCut: false };
const OPEN: TurnEnd = { turn: 'open', reply: '' };

/** Reads what agents write down about their conversations. What has not changed is not read again. */
export class Eyes {
  readonly #state: string;
  readonly #read = new Map<SessionId, Read>();
  readonly #told = new Map<SessionId, { readonly key: string; readonly isTold: boolean }>();
  readonly #env = new Map<SessionId, Readonly<Record<string, string>>>();

  constructor(state: string) {
    this.#state = state;
  }

  /** The environment that the caller of this session had. */
  env(session: Session): Readonly<Record<string, string>> {
    const known = this.#env.get(session.id);
    if (known !== undefined) return known;
    const { env } = readSurroundings(this.#state, session.id);
    this.#env.set(session.id, env);
    return env;
  }

  /** What the transcript, and the output of a run of one turn that has ended, say of our last sending. */
  transcript(session: Session, talk: Talk, { isOver, nowMs }: { isOver: boolean; nowMs: number }): TranscriptSight {
    const path = this.path(session, talk);
    const sent = session.prompts.filter((p) => p.run > 0 && p.state !== 'queued');
    // A turn at work is not asked whether it was heard; and what it writes would be read again and again.
    const isAtWork = session.phase.at === 'working' || session.phase.at === 'blocked';
    const isEnough = (read: Read): boolean => isAtWork || sent.every((p) => heardIn(session, talk, read, p) !== null);
    const read = path === null ? NOTHING : this.#readAgain(session, path, talk, isEnough);
    const said = isOver && session.spec.drive === 'turns' ? this.#said(session, talk, nowMs) : null;
    const own = sent.flatMap((p) => {
      // What was accepted and is not where we looked stands before that.
      const heard = heardIn(session, talk, read, p) ?? (p.state === 'accepted' && !isAtWork ? OPEN : 'no');
      return heard === 'no' ? [] : [{ token: tokenOf(p), heard }];
    });
    const last: TurnEnd = said ?? own.at(-1)?.heard ?? OPEN;
    const heard = said === null ? own.map(({ token }) => token) : sent.map(tokenOf);
    const { turn, reply, trouble } = last;
    const where = read.isBegun ? {} : this.#place(session, talk);
    return { exists: read.isBegun, ...where, heard, turn, reply, ...(trouble === undefined ? {} : { trouble }) };
  }

  /** Where the conversation would be. */
  #place(session: Session, talk: Talk): Pick<TranscriptSight, 'place'> {
    const id = session.conversation ?? session.spec.conversation?.id ?? null;
    const folder = talk.transcripts(this.env(session));
    if (id === null || folder === null) return {};
    return { place: session.transcript ?? join(folder, '*', `${id}.jsonl`) };
  }

  /** Has a run of one turn said its last word? */
  hasSaid(session: Session, talk: Talk): boolean {
    return this.#said(session, talk, 0) !== null;
  }

  /** Was the agent told something with this mark by a hook, as far as it has written that down? */
  isTold(session: Session, talk: Talk, mark: string, isOver: boolean): boolean {
    const path = this.path(session, talk);
    if (path === null) return false;
    // When the turn is over this decides, and the turn may have written a lot since.
    const bytesMax = isOver ? LONG_TAIL_BYTES_MAX : TAIL_BYTES_MAX;
    const key = `${mark} ${bytesMax} ${keyOf(path)}`;
    const before = this.#told.get(session.id);
    if (before?.key === key) return before.isTold;
    const isTold = talk.hasContext(tailOf(path, bytesMax), mark);
    this.#told.set(session.id, { key, isTold });
    return isTold;
  }

  /** What was used up since the last count, once a turn is over and written down, or the session ends. */
  used(session: Session, talk: Talk, nowMs: number): Sight['used'] {
    const { last, countedUpTo, createdAtMs, spec, phase } = session;
    const isEnd = phase.at === 'closing';
    const isNew = last !== null && session.counted !== last.prompt;
    if (!isNew && !isEnd) return null;
    const path = this.path(session, talk);
    const { prompts, spoken } = path === null ? NOTHING : this.#readAgain(session, path, talk);
    const turn = last === null ? undefined : prompts.findLast((h) => talk.isSameText(last.said, h.text));
    // A live agent writes down a little later than it says.
    if (spec.drive === 'live' && !isEnd && (turn === undefined || turn.turn === 'open')) return null;
    const said = spec.drive === 'turns' && isNew ? this.#said(session, talk, nowMs) : null;
    const since = countedUpTo ?? { message: null, atMs: createdAtMs };
    const side = path === null ? [] : sideTexts(talk.sideTranscripts(path), since.atMs);
    return talk.spent({ main: spoken, side: side.flatMap((text) => talk.transcript(text).spoken) }, since, said);
  }

  /** When the transcript was last written to, on the wall; null when there is none. */
  transcriptAtMs(session: Session, talk: Talk): number | null {
    const path = this.path(session, talk);
    return path === null ? null : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null);
  }

  /** Where the conversation is written down. As the agent said; else wherever its id is found. */
  path(session: Session, talk: Talk): string | null {
    if (session.transcript !== null && isThere(session.transcript)) return session.transcript;
    const id = session.conversation ?? session.spec.conversation?.id ?? null;
    const folder = talk.transcripts(this.env(session));
    if (id === null || folder === null) return null;
    const found = foldersIn(folder).map((name) => join(folder, name, `${id}.jsonl`));
    return found.find(isThere) ?? null;
  }

  /** A session that is over is not looked at again. */
  forget(session: SessionId): void {
    this.#read.delete(session);
    this.#env.delete(session);
    this.#told.delete(session);
  }

  #readAgain(session: Session, path: string, talk: Talk, isEnough: (read: Read) => boolean = () => true): Read {
    const stat = statSync(path, { throwIfNoEntry: false });
    const key = keyOf(path, stat);
    const before = this.#read.get(session.id);
    if (before?.key === key && (isLongest(before) || isEnough(before))) return before;
    const readTail = (bytesMax: number): Read => {
      const read = talk.transcript(tailOf(path, bytesMax));
      const isCut = (stat?.size ?? 0) > bytesMax;
      // What is so long is no mere bookkeeping, whatever its end looks like.
      return { ...read, isBegun: read.isBegun || isCut, key, bytesMax, isCut };
    };
    const short = before?.key === key ? before : readTail(TAIL_BYTES_MAX);
    const read = isLongest(short) || isEnough(short) ? short : readTail(LONG_TAIL_BYTES_MAX);
    this.#read.set(session.id, read);
    return read;
  }

  #said(session: Session, talk: Talk, nowMs: number): TurnEnd | null {
    const run = session.run?.number ?? 0;
    if (run === 0 || session.run?.how === 'visit') return null;
    return talk.stream(tailOf(runFolder(this.#state, { session: session.id, run }).output, OUTPUT_BYTES_MAX), nowMs);
  }
}

/** Tells whether a file has changed. */
function keyOf(path: string, stat = statSync(path, { throwIfNoEntry: false })): string {
  return `${path} ${stat?.size} ${stat?.mtimeMs} ${stat?.ino}`;
}

/** No more of it can be read. */
function isLongest({ isCut, bytesMax }: Read): boolean {
  return !isCut || bytesMax >= LONG_TAIL_BYTES_MAX;
}

/** What became of a prompt that was sent; no: it was not heard; null: it may have been, before what was read. */
function heardIn(session: Session, talk: Talk, { prompts, spoken, isCut }: Read, p: Prompt): TurnEnd | 'no' | null {
  const heard = prompts.findLast(
    (h) =>
      talk.isSameText(say(p)?.text ?? '', h.text) &&
      (h.isSteered ? p.now : h.mark === null || h.mark === p.mark || !session.marks.includes(h.mark)) &&
      (h.atMs === null || h.atMs >= p.sentAtMs - CLOCK_SLACK_MS),
  );
  if (heard !== undefined) return heard;
  const isBefore = ({ atMs }: { readonly atMs: number | null }): boolean => atMs !== null && atMs < p.sentAtMs;
  return !isCut || prompts.some(isBefore) || spoken.some(isBefore) ? 'no' : null;
}

/** The end of a file from the beginning of a line; empty when there is none. */
export function tailOf(path: string, bytesMax: number): string {
  const file = openIfThere(path);
  if (file === null) return '';
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - bytesMax);
    const bytes = Buffer.alloc(size - from);
    const read = readSync(file, bytes, 0, bytes.length, from);
    const text = bytes.toString('utf8', 0, read);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(file);
  }
}

/** What sub-agents have written since then. */
function sideTexts(folder: string, sinceMs: number): string[] {
  const paths = foldersIn(folder).flatMap((name) => (name.endsWith('.jsonl') ? [join(folder, name)] : []));
  const isNew = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs;
  return paths.filter(isNew).map((path) => tailOf(path, SIDE_BYTES_MAX));
}

/** A file with something in it that we may read. */
function isThere(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    const stat = statSync(path);
    return stat.isFile() && stat.size > 0;
  } catch {
    return false;
  }
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** What the agent says of itself in its state file, when that is about the process we watch. */
export function stateOf(talk: Talk, env: Readonly<Record<string, string>>, pid: number): ReturnType<Talk['state']> {
  const path = talk.stateFile(env, pid);
  const text = path === null ? null : readIfThere(path);
  const state = text === null ? null : talk.state(text.toString('utf8'));
  return state?.pid === pid ? state : null;
}
