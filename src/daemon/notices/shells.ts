import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionActions } from '../../agent/seam/actions.ts';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import type { Session, SessionId, Shell } from '../../core/session.ts';
import { type FollowedJournal, Follower, type Handled, isFirstStart } from '../../journal/follower.ts';
import type { Entry } from '../../journal/journal.ts';
import { type ProcessTable, systemTable } from '../../terminal/process-table.ts';
import { isAnnounced } from './announced.ts';
import { Attended } from './attended.ts';
import { noticeItem } from './item.ts';
import { isReadable, type Reads } from './reads.ts';
import { shellLines } from './text.ts';

// Each shell that runs the hook of `outlast shell-init` has a folder. A file in it is a message, named after the
// journal and the position of its event; `new` says that there are some. The hook removes `new`, writes the name of
// the last message to `seen`, prints the messages and removes them. A daemon that died after it wrote a message, and
// before it saved its position, finds its name in `seen`, so nothing is printed twice.

/** The dependencies of the lines for shells. */
export interface ShellParts {
  readonly journal: FollowedJournal & { readonly id: string };
  readonly clock: Clock;
  readonly state: string;
  readonly log: Log;
  readonly describe: (id: SessionId) => Session | null;
  readonly actions: SessionActions;
  readonly reads: Reads;
  readonly table?: Pick<ProcessTable, 'row'>;
}

const NAME = 'announce:shell';
/** A caller that waited for the event says within this time that it has read it. */
const COALESCE_MS = 150;
/** Beyond this the oldest messages of a shell are dropped. */
const MESSAGES_MAX = 200;
const POSITION_DIGITS = 16;

/** Writes a message for the shell that a session was started from when there is something to announce. */
export class ShellAnnouncer {
  readonly #parts: ShellParts;
  readonly #follower: Follower;
  readonly #attended = new Attended();
  /** Messages that may not be printed yet. */
  readonly #written = new Map<SessionId, { readonly entry: Entry; readonly path: string }[]>();
  readonly #loop: Promise<void>;

  constructor(parts: ShellParts) {
    this.#parts = parts;
    this.#sweep();
    this.#follower = new Follower(parts.journal, parts.clock, {
      name: NAME,
      isNew: isFirstStart(parts.journal, NAME),
      coalesceMs: COALESCE_MS,
      handlePage: (page, stopping) => this.#handle(page, stopping),
      onTrouble: (error) => parts.log(`lines for shells: ${error}`),
    });
    this.#loop = this.#follower.run();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#loop;
  }

  /** Withdraws the messages about events of a session up to this position: they were read. */
  read(session: SessionId, upTo: number): void {
    this.#withdraw(session, ({ position, event }) => position <= upTo && isReadable(event));
  }

  async #handle(page: readonly Entry[], stopping: AbortSignal): Promise<Handled> {
    let handled: Handled = { upTo: null, save: false };
    for (const entry of page) {
      if (stopping.aborted) break;
      const isWritten = await this.#take(entry);
      handled = { upTo: entry.position, save: handled.save || isWritten };
    }
    return handled;
  }

  /** Handles one event; true when a message was written. */
  async #take(entry: Entry): Promise<boolean> {
    const { session: id, body } = entry.event;
    this.#attended.note(entry.event);
    // What was decided or is over needs nobody any more.
    if (body.type === 'approval.decided')
      this.#withdraw(id, ({ event }) => event.body.type === 'approval.asked' && event.body.approval === body.approval);
    if (body.type === 'session.released') this.#withdraw(id, ({ event }) => event.body.type === 'session.held');
    if (body.type === 'session.removed') this.#withdraw(id, () => true);
    const session = ANNOUNCED.has(body.type) ? this.#describe(entry) : null;
    const shell = session?.spec.shell;
    if (session === null || shell === undefined || !isAnnounced(entry.event, session)) return false;
    if (this.#attended.has(session) || this.#parts.reads.has(entry)) return false;
    return this.#write(shell, entry, session);
  }

  async #write(shell: Shell, entry: Entry, session: Session): Promise<boolean> {
    const { state, journal, actions } = this.#parts;
    const folder = join(shellsFolder(state), shell.id);
    if (!this.#isThere(shell)) {
      rmSync(folder, { recursive: true, force: true });
      return false;
    }
    const name = `${journal.id}-${String(entry.position).padStart(POSITION_DIGITS, '0')}`;
    if (isSeen(folder, name)) return false;
    const item = await noticeItem(entry, session, { state, actions });
    makeFolder(folder);
    dropOldest(folder);
    // The shell reads whole messages only.
    writeFileSync(join(folder, '.next'), shellLines(item), { mode: 0o600 });
    renameSync(join(folder, '.next'), join(folder, name));
    writeFileSync(join(folder, 'new'), '', { mode: 0o600 });
    const written = this.#written.get(session.id) ?? [];
    this.#written.set(session.id, [...written, { entry, path: join(folder, name) }].slice(-MESSAGES_MAX));
    return true;
  }

  #withdraw(session: SessionId, which: (entry: Entry) => boolean): void {
    const written = this.#written.get(session);
    if (written === undefined) return;
    for (const { path } of written.filter(({ entry }) => which(entry))) rmSync(path, { force: true });
    const rest = written.filter(({ entry }) => !which(entry));
    if (rest.length > 0) this.#written.set(session, rest);
    else this.#written.delete(session);
  }

  #describe({ event, position }: Entry): Session | null {
    try {
      return this.#parts.describe(event.session);
    } catch (error) {
      this.#parts.log(`lines for shells at ${position}: session ${event.session} cannot be read: ${error}`);
      return null;
    }
  }

  #isThere({ id, start }: Shell): boolean {
    const row = (this.#parts.table ?? systemTable()).row(Number(id.split('-')[0]));
    return row !== null && !row.zombie && row.start === start;
  }

  /** Removes the folders of shells that are gone. */
  #sweep(): void {
    const folder = shellsFolder(this.#parts.state);
    for (const id of filesIn(folder)) {
      const row = (this.#parts.table ?? systemTable()).row(Number(id.split('-')[0]));
      if (row === null || row.zombie) rmSync(join(folder, id), { recursive: true, force: true });
    }
  }
}

const ANNOUNCED: ReadonlySet<string> = new Set([
  'approval.asked',
  'session.held',
  'session.ended',
  'prompt.unsure',
  'prompt.answered',
  'prompt.failed',
]);

function shellsFolder(state: string): string {
  return join(state, 'shells');
}

function isSeen(folder: string, name: string): boolean {
  try {
    const seen = readFileSync(join(folder, 'seen'), 'utf8').trim();
    // Positions count within one journal.
    return seen.split('-')[0] === name.split('-')[0] && name <= seen;
  } catch {
    return false;
  }
}

function dropOldest(folder: string): void {
  const messages = filesIn(folder).filter((name) => /^[0-9a-z]+-\d+$/.test(name));
  for (const name of messages.toSorted().slice(0, -MESSAGES_MAX)) rmSync(join(folder, name), { force: true });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
