import { statSync } from 'node:fs';
import type { Agent } from '../agent/seam/agent.ts';
import type { RecordSources, TranscriptView } from '../agent/seam/record.ts';
import type { RunExit, TurnEnd, TurnsDrive } from '../agent/seam/turns.ts';
import type { Exit, Session, SessionId } from '../core/session.ts';
import type { Snapshot, TranscriptSnapshot } from '../core/snapshot.ts';
import { isLongLived } from '../core/spec.ts';
import { tokenOf } from '../core/steps.ts';
import { runFolder } from '../terminal/run-folder.ts';
import { endOf } from '../terminal/small-file.ts';
import { askedFiles, writtenSince } from './agent-files.ts';
import { readCallerProcess } from './caller-process.ts';
import type { DatabaseTail } from './database-tail.ts';
import { delayOf, type Kept, keptIn, placeOf } from './kept.ts';
import { othersIn } from './others.ts';
import { receivedBy, receivedIn, turnIdsOf, turnOf } from './received-in.ts';
import { RecordTail } from './record-tail.ts';
import { tailOf } from './source-tail.ts';
import { isTakenForStored, receivedUnread } from './unread-conversation.ts';

/** How much of the end of a new transcript is read: more than most turns write. */
const TAIL_BYTES_MAX = 8 * 1024 * 1024;
/** How much, if a turn that wrote more broke off. */
const LONG_TAIL_BYTES_MAX = 64 * 1024 * 1024;
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
/** How much is read of each sub-agent's file: there may be many. */
const SIDE_BYTES_MAX = 1024 * 1024;

/** The view of a transcript, and whether there is more of it before the part that was read. */
type Read = TranscriptView;
type Tail = RecordTail<unknown, TranscriptView> | DatabaseTail<unknown, TranscriptView>;

const NOTHING: Read = { isBegun: false, isCut: false, prompts: [], messages: [], contexts: [], open: [] };
const OPEN: TurnEnd = { turn: 'open', reply: '' };

/**
 * Reads agents' records of their conversations, each file incrementally: the cost of a look depends on what was written
 * since the last one, not on the length of the conversation.
 */
export class TranscriptReader {
  readonly #state: string;
  readonly #records = new Map<SessionId, Tail>();
  readonly #sides = new Map<SessionId, ReadonlyMap<string, RecordTail<unknown, TranscriptView>>>();
  readonly #streams = new Map<SessionId, RecordTail<unknown, ReturnType<TurnsDrive['stream']['view']>>>();
  readonly #env = new Map<SessionId, Readonly<Record<string, string>>>();

  constructor(state: string) {
    this.#state = state;
  }

  /** The environment of this session's caller. */
  env(session: Session): Readonly<Record<string, string>> {
    const known = this.#env.get(session.id);
    if (known !== undefined) return known;
    const { env } = readCallerProcess(this.#state, session.id);
    this.#env.set(session.id, env);
    return env;
  }

  /** What the transcript, and the output of an ended run of one turn, say about our last prompt. */
  async transcript(
    session: Session,
    agent: Agent,
    { exit, nowMs }: { exit: Exit | null; nowMs: number },
  ): Promise<TranscriptSnapshot> {
    const { sources, unread } = this.#look(session, agent);
    const kept = keptIn(sources, agent);
    const sent = session.prompts.filter((p) => p.run > 0 && p.state !== 'queued');
    // A working turn is not checked for what it received; and its growing file would be read again and again.
    const isAtWork = session.phase.at === 'working' || session.phase.at === 'blocked';
    const isEnough = (read: Read): boolean =>
      isAtWork || sent.every((p) => receivedIn(session, kept, read, p) !== null);
    const read = await this.#readOn(session, kept, isEnough);
    const isTurn = exit !== null && session.spec.drive === 'turns';
    const said = isTurn ? await this.#said(session, agent, nowMs, exit) : null;
    const unreadPrompts = receivedUnread(session, agent, sent);
    const own = sent.flatMap((p) => {
      if (unreadPrompts.includes(p)) return [{ token: tokenOf(p), received: OPEN }];
      // An accepted prompt that is not in the part that was read is before it.
      const received = receivedIn(session, kept, read, p) ?? (p.state === 'accepted' && !isAtWork ? OPEN : 'no');
      return received === 'no' ? [] : [{ token: tokenOf(p), received }];
    });
    const last: TurnEnd = said ?? own.at(-1)?.received ?? OPEN;
    const { turn, reply, trouble } = last;
    const recorded = own.map(({ token }) => token);
    return {
      ...{ exists: read.isBegun || isTakenForStored(session, agent), turn, reply },
      ...receivedBy(sent, recorded, said),
      ...(read.isBegun ? {} : placeOf(sources)),
      ...(agent.record === undefined ? { isUnread: true } : {}),
      ...(isAtWork || read.open.length === 0 ? {} : { open: read.open }),
      ...delayOf(session, agent, kept, nowMs),
      ...(kept === null && sent.length > 0 ? unreadOf(unread) : {}),
      ...(trouble === undefined ? {} : { trouble }),
      ...(agent.hooks === undefined ? turnIdsOf(own) : {}),
      ...(kept === null ? {} : othersIn(session, kept.record, read)),
    };
  }

  /** Has a run of one turn printed everything? */
  async hasSaid(session: Session, agent: Agent): Promise<boolean> {
    const said = await this.#said(session, agent, 0, null);
    return said !== null && said.turn !== 'open';
  }

  /** Did a hook deliver this update to the agent, according to the agent's own record? */
  async isDelivered(session: Session, agent: Agent, update: string, isOver: boolean): Promise<boolean> {
    const isIn = ({ contexts }: Read): boolean => contexts.some((text) => text.includes(update));
    // At the end of the turn this decides, and the turn may have written a lot since.
    return isIn(await this.#readOn(session, this.#kept(session, agent), (read) => !isOver || isIn(read)));
  }

  /** The tools that the last recorded turn has called and that have not returned. */
  async openCalls(session: Session, agent: Agent): Promise<readonly string[]> {
    const { open } = await this.#readOn(session, this.#kept(session, agent));
    return open.map(({ tool }) => tool);
  }

  /** Is the turn of this prompt recorded to its end? */
  async isWritten(session: Session, agent: Agent, text: string): Promise<boolean> {
    const kept = this.#kept(session, agent);
    const turn = turnOf(await this.#readOn(session, kept), kept, text);
    return turn !== undefined && turn.turn !== 'open';
  }

  /** Usage since the last count, once a turn is over and recorded, or the session ends. */
  async used(session: Session, agent: Agent, nowMs: number): Promise<Snapshot['used']> {
    const { created, spec, phase } = session;
    const { last } = session.turn;
    const { countedUpTo } = session.accounting;
    const isEnd = phase.at === 'closing' || session.conversation.switchTo !== undefined;
    const isNew = last !== null && session.accounting.counted !== last.prompt;
    if ((!isNew && !isEnd) || agent.usage === undefined) return null;
    const kept = this.#kept(session, agent);
    const since = countedUpTo ?? { message: null, atMs: created.wallMs };
    // The record that was read last may be of the agent from which this one took over.
    if (kept !== null) tailFor(this.#records, session.id, kept).change((known) => kept.record.settle(known, since));
    const read = await this.#readOn(session, kept);
    const turn = last === null ? undefined : turnOf(read, kept, last.said);
    // A live agent records a little later than it reports.
    const isUnwritten = turn === undefined || (turn.turn === 'open' && turn.mayBeOver !== true);
    if (isLongLived(spec) && !isEnd && isUnwritten) return null;
    const exit = session.run?.exit ?? null;
    const said = spec.drive === 'turns' && isNew ? await this.#said(session, agent, nowMs, exit) : null;
    const side = kept === null ? [] : await this.#readSides(session, kept, since.atMs);
    const messages = { main: read.messages, side: side.flatMap((each) => each.messages) };
    const spent = agent.usage.spent(messages, since, said);
    return spent === null || read.windows === undefined ? spent : { ...spent, windows: read.windows };
  }

  /** When the transcript was last modified, wall time; null: there is none. */
  transcriptAtMs(session: Session, agent: Agent): number | null {
    const path = this.path(session, agent);
    return path === null ? null : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null);
  }

  /** Where the conversation is stored; null: this agent stores nothing. */
  sources(session: Session, agent: Agent): RecordSources | null {
    return this.#look(session, agent).sources;
  }

  /** Also gives what could not be read while it was looked for. */
  #look(session: Session, { record }: Agent): { sources: RecordSources | null; unread: readonly string[] } {
    const { id, transcript: reported } = session.conversation;
    const { workspace } = session.spec;
    const named = { id: id ?? session.spec.conversation?.id ?? null, reported, workspace };
    const files = askedFiles();
    return { sources: record?.sources(files, () => this.env(session), named) ?? null, unread: files.unread };
  }

  /** The file that has the conversation; null: there is none. */
  path(session: Session, agent: Agent): string | null {
    const main = this.#kept(session, agent)?.main;
    return main?.is === 'file' ? main.path : null;
  }

  #kept(session: Session, agent: Agent): Kept | null {
    return keptIn(this.sources(session, agent), agent);
  }

  /** Forgets a session that is over. */
  forget(session: SessionId): void {
    this.#records.delete(session);
    this.#sides.delete(session);
    this.#streams.delete(session);
    this.#env.delete(session);
  }

  /** Reads the transcript on. If the known part is not enough for the caller, more of its end is read. */
  async #readOn(session: Session, kept: Kept | null, isEnough = (_: Read): boolean => true): Promise<Read> {
    if (kept === null) return NOTHING;
    const tail = tailFor(this.#records, session.id, kept);
    const read = (): Read => {
      const { view, isCut } = tail;
      // Something this long is not mere bookkeeping, whatever its end looks like.
      return isCut ? { ...view, isBegun: true, isCut } : view;
    };
    await tail.readOn(TAIL_BYTES_MAX);
    if (tail.isCut && !isEnough(read())) await tail.readOn(LONG_TAIL_BYTES_MAX);
    return read();
  }

  /** What sub-agents have written since then. */
  async #readSides(session: Session, { sources, record }: Kept, sinceMs: number): Promise<readonly Read[]> {
    const before = this.#sides.get(session.id);
    const paths = writtenSince(sources.sides(), sinceMs);
    const tails = new Map(paths.map((each) => [each, before?.get(each) ?? new RecordTail(each, record)]));
    this.#sides.set(session.id, tails);
    for (const tail of tails.values()) await tail.readOn(SIDE_BYTES_MAX);
    return [...tails.values()].map(({ view }) => view);
  }

  /** What the output of a run of one turn says about its end; `exit`: it has ended. */
  async #said(session: Session, agent: Agent, nowMs: number, exit: Exit | null): Promise<TurnEnd | null> {
    const run = session.run?.number ?? 0;
    const isOther = session.run?.how === 'visit' || session.run?.isOfEarlierAgent === true;
    if (agent.turns === undefined || run === 0 || isOther) return null;
    const { output: path, stderr } = runFolder(this.#state, { session: session.id, run });
    const known = this.#streams.get(session.id);
    const tail = known?.path === path ? known : new RecordTail(path, agent.turns.stream);
    this.#streams.set(session.id, tail);
    await tail.readOn(OUTPUT_BYTES_MAX);
    if (exit === null) return tail.view(nowMs);
    const errors = agent.turns.readsErrors === true ? endOf(stderr) : '';
    const how: RunExit = { status: exit.status, rest: tail.rest, errors };
    return tail.view(nowMs, how);
  }
}

/** What cannot be read now may hold what was looked for. */
function unreadOf([path]: readonly string[]): Pick<TranscriptSnapshot, 'isUnread' | 'search'> {
  if (path === undefined) return {};
  return { isUnread: true, search: { is: 'unknown', why: `${path} cannot be read now` } };
}

/** A conversation may continue in another file. */
function tailFor(tails: Map<SessionId, Tail>, session: SessionId, { main, record }: Kept): Tail {
  const known = tails.get(session);
  const tail = tailOf(main, record);
  if (known?.path === tail.path) return known;
  tails.set(session, tail);
  return tail;
}
