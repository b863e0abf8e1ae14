import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../base/files.ts';
import { LIMITS } from '../../base/limits.ts';
import type { SessionId } from '../../core/session.ts';
import type { Entry, Journal, Position, Row } from '../../journal/journal.ts';
import { type OutputFiles, readText } from '../../terminal/output.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';
import { filesOf } from '../views/output-files.ts';
import { viewOf } from '../views/view.ts';
import { appendEvents, mendEvents } from './events.ts';
import { manifestText } from './keys.ts';
import { TextLog } from './log.ts';
import { TurnText } from './turns.ts';

/** The dependencies of the mirror of one session. */
export interface FolderParts {
  readonly journal: Pick<Journal, 'read' | 'find'>;
  readonly state: string;
  readonly textBytesMax: number;
}

/**
 * The files of one session that are derived from the journal. A new object finds out what is there; after an error a
 * new object is needed. Nothing here creates the folder: a removed one stays removed.
 */
export class SessionFolder {
  readonly #parts: FolderParts;
  readonly #id: SessionId;
  readonly #log: TextLog;
  readonly #turns = new TurnText();
  #seq = 0;
  #position = 0 as Position;
  #isFresh = true;
  #manifest = '';
  #pid: number | null = null;
  #isBroken = false;
  #resumedAtMs: number | null = null;
  /** The output of a running command. */
  #output: OutputFiles | null = null;
  /** How much of a command's output is in the log; null before the first write. */
  #logged: number | null = null;

  constructor(parts: FolderParts, id: SessionId) {
    this.#parts = parts;
    this.#id = id;
    this.#log = new TextLog(this.#path('output.log'), parts.textBytesMax);
  }

  /** Brings the files up to date; `recent` are events that were just read. Returns whether more will follow. */
  async refresh(recent: readonly Entry[]): Promise<boolean> {
    const row = this.#row();
    if (row === null) return false;
    const entries = this.#unseen(row, recent);
    const isCommand = row.session.spec.drive === 'command';
    this.#writeFacts(row, entries);
    this.#writeEvents(row, entries);
    this.#output = isCommand ? filesOf(this.#parts.state, row.session) : null;
    if (this.#output === null) this.#writeTurns(entries);
    else if (!row.live) await this.#readOn(this.#output, true);
    this.#isFresh = false;
    const after = this.#row();
    if (after === null || after.live) return after !== null;
    // Last: a reader that sees it finds everything else complete.
    writeWhole(this.#path('done'), '');
    return false;
  }

  /** True for a command, which may print at any time. */
  get grows(): boolean {
    return this.#output !== null;
  }

  /** Appends a command's new output to the log. */
  async grow(): Promise<void> {
    if (this.#output !== null) await this.#readOn(this.#output, false);
  }

  #path(name: string): string {
    return join(sessionFolder(this.#parts.state, this.#id), name);
  }

  #row(): Row | null {
    return this.#parts.journal.find(this.#id);
  }

  #unseen(row: Row, recent: readonly Entry[]): readonly Entry[] {
    const entries = recent.filter(({ event }) => event.seq > this.#seq);
    if (entries.length === 0 && !this.#isFresh) return entries;
    const isWhole = entries[0]?.event.seq === this.#seq + 1;
    // An ended session is finished now, even if its last events are not among these.
    return isWhole && (row.live || entries.at(-1)?.event.seq === row.session.seq) ? entries : this.#read();
  }

  /** All events in the journal that are not written yet: after a restart, all of them. */
  #read(): Entry[] {
    const all: Entry[] = [];
    for (let from = this.#position; ; ) {
      const page = this.#parts.journal.read(from, LIMITS.feedEventsMax, this.#id);
      all.push(...page.filter(({ event }) => event.seq > this.#seq));
      const last = page.at(-1);
      if (last === undefined || page.length < LIMITS.feedEventsMax) return all;
      from = last.position;
    }
  }

  #writeFacts(row: Row, entries: readonly Entry[]): void {
    const view = viewOf(this.#parts.state, row);
    const first = entries.find(({ event }) => event.body.type === 'prompt.queued')?.event.body;
    if (first?.type === 'prompt.queued' && !existsSync(this.#path('prompt'))) {
      writeWhole(this.#path('prompt'), first.text);
    }
    this.#noteResumes(entries);
    const folder = sessionFolder(this.#parts.state, this.#id);
    const manifest = manifestText({ session: row.session, view, folder, resumedAtMs: this.#resumedAtMs });
    if (manifest !== this.#manifest) writeWhole(this.#path('manifest'), manifest);
    this.#manifest = manifest;
    if (row.live && (this.#isFresh || entries.some(({ event }) => event.body.type === 'session.resumed'))) {
      for (const name of ['done', 'exit_code']) rmSync(this.#path(name), { force: true });
    }
    if (view.pid !== null && view.pid !== this.#pid) writeWhole(this.#path('pid'), `${view.pid}\n`);
    // A run that is about to start has no pid: the last run's pid may belong to another process by now.
    if (view.pid === null && (this.#isFresh || this.#pid !== null)) rmSync(this.#path('pid'), { force: true });
    this.#pid = view.pid;
    if (!row.live && view.exit !== null) writeWhole(this.#path('exit_code'), `${view.exit.status}\n`);
  }

  #noteResumes(entries: readonly Entry[]): void {
    for (const { event } of entries) {
      if (event.body.type === 'run.starting' && this.#isBroken) this.#resumedAtMs = event.atMs;
      if (event.body.type === 'run.starting' || event.body.type === 'run.faulted')
        this.#isBroken = event.body.type === 'run.faulted';
    }
  }

  #writeEvents(row: Row, entries: readonly Entry[]): void {
    const path = this.#path('events.jsonl');
    const known = this.#isFresh ? mendEvents(path, row.session.seq) : this.#seq;
    appendEvents(
      path,
      entries.filter(({ event }) => event.seq > known),
    );
    this.#seq = entries.at(-1)?.event.seq ?? this.#seq;
    this.#position = entries.at(-1)?.position ?? this.#position;
  }

  #writeTurns(entries: readonly Entry[]): void {
    const text = entries.map(({ event }) => this.#turns.add(event)).join('');
    if (this.#isFresh) this.#log.set(text);
    else this.#log.add(text);
  }
  async #readOn(files: OutputFiles, ended: boolean): Promise<void> {
    const { textBytesMax } = this.#parts;
    // Synchronous: this runs for every command every two seconds, and awaiting would cost ten times as much.
    const size = statSync(files.output, { throwIfNoEntry: false })?.size ?? 0;
    if (size === this.#logged) return;
    const isFar = this.#logged === null || size - this.#logged > textBytesMax;
    let from = isFar ? Math.max(0, size - Math.floor(textBytesMax / 2)) : (this.#logged ?? 0);
    let text = from > (this.#logged ?? 0) ? '[earlier output is left out here]\n' : '';
    while (from < size) {
      const page = await readText(files, { offset: from, bytesMax: LIMITS.readBytesMax, ended });
      text += page.text;
      if (page.next === from) break;
      from = page.next;
    }
    // The session may have been removed while its output was read.
    if (this.#row() === null) return;
    if (isFar) this.#log.set(text);
    else this.#log.add(text);
    this.#logged = from;
  }
}
