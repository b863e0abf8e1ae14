import { type FSWatcher, watch } from 'node:fs';
import type { HookReport } from '../agent/seam/hooks.ts';
import type { Piece } from '../agent/seam/piece.ts';
import type { Listener } from '../agent/seam/turns.ts';
import { errnoOf } from '../base/errors.ts';
import { letOthers } from '../base/others.ts';
import { inputId } from '../core/cause.ts';
import type { InputId } from '../core/event.ts';
import type { Session, SessionId } from '../core/session.ts';
import { LinePieces } from '../terminal/line-pieces.ts';
import type { RunRef } from '../terminal/terminal.ts';
import type { SpoolParts } from './spool.ts';

/** What streams need from the world. */
export interface StreamParts extends Pick<SpoolParts, 'submit' | 'now' | 'log'> {
  readonly nudge: (session: SessionId) => void;
  /** A part of a text that an agent is writing. */
  readonly wrote?: (session: SessionId, piece: Piece) => void;
}

/** A file of lines about a run. */
export interface StreamSource {
  readonly ref: RunRef;
  readonly path: string;
  /** Distinguishes its lines from those of every other source. */
  readonly name: string;
  listener(): Listener;
  readonly piece?: (line: string) => Piece | null;
  /** Says whose prompt a report is about. */
  named(session: Session, report: HookReport): HookReport;
}

interface Heard {
  readonly id: InputId;
  readonly input: HookReport;
}

interface Followed {
  readonly source: StreamSource;
  /** Takes a line that may have a part of a text. */
  readonly told: (line: string) => void;
  readonly listener: Listener;
  watcher: FSWatcher | null;
  readonly pieces: LinePieces;
  /** How many of them show progress. */
  progress: number;
  /** Read, but not ingested yet. */
  received: Heard[];
}

/**
 * Follows files to which runs append lines: the output of a process of one turn, or the record that an agent writes.
 * They are there before anything else happens, so a new daemon reads them from the beginning; the position of a line is
 * its id, and known lines change nothing.
 */
export class Streams {
  readonly #parts: StreamParts;
  readonly #followed = new Map<SessionId, Followed>();

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Reads what is there so far, in pieces, with a turn of the event loop after each. */
  async catchUp(source: StreamSource): Promise<void> {
    const followed = this.#follow(source);
    while (hearPiece(followed) === 'more') await letOthers();
  }

  /** Is there more than can be read at once? Then catch up first. */
  isFarBehind(source: StreamSource): boolean {
    return this.#follow(source).pieces.isFarBehind;
  }

  /** Reads what is there so far, and returns how to ingest it. */
  listen(session: Session, source: StreamSource): Stream {
    const followed = this.#follow(source);
    hearAll(followed);
    const count = followed.received.length;
    return {
      ingest: () => this.#take(session, followed, count),
      ingestAll: () => {
        hearAll(followed);
        this.#take(session, followed, followed.received.length);
      },
    };
  }

  /** How many lines of its run show progress; null: it is not followed. */
  progress(session: SessionId): number | null {
    return this.#followed.get(session)?.progress ?? null;
  }

  /** There is nothing to follow, or no longer. */
  forget(session: SessionId): void {
    this.#followed.get(session)?.watcher?.close();
    this.#followed.delete(session);
  }

  #follow(source: StreamSource): Followed {
    const known = this.#followed.get(source.ref.session);
    const followed = known?.source.name === source.name ? known : this.#begin(source);
    // The file may not have existed before.
    followed.watcher ??= this.#watch(followed);
    return followed;
  }

  #begin(source: StreamSource): Followed {
    this.forget(source.ref.session);
    const { wrote } = this.#parts;
    const told = (line: string): void => {
      const piece = wrote === undefined ? null : (source.piece?.(line) ?? null);
      if (piece !== null) wrote?.(source.ref.session, piece);
    };
    const followed = {
      ...{ source, told },
      listener: source.listener(),
      watcher: null,
      pieces: new LinePieces(source.path),
      progress: 0,
      received: [],
    };
    this.#followed.set(source.ref.session, followed);
    return followed;
  }

  /** Wakes up the session only for new reports. If the watch fails, the slow look of every loop finds them. */
  #watch(followed: Followed): FSWatcher | null {
    const { path, ref } = followed.source;
    try {
      const watcher = watch(path, { persistent: false }, () => {
        if (isNews(followed)) this.#parts.nudge(ref.session);
      });
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') this.#parts.log('a file of a run is not watched', { why: String(error) });
      return null;
    }
  }

  #take(session: Session, followed: Followed, count: number): void {
    const { received, source } = followed;
    for (const { id, input } of received.slice(0, count)) {
      const current = this.#parts.now(session);
      this.#parts.submit(current, id, source.named(current, input));
    }
    followed.received = received.slice(count);
  }
}

/** What is new in a file of a run. */
export interface Stream {
  /** Ingests what had been there at that time. */
  ingest(): void;
  /** Ingests everything that is there by now. */
  ingestAll(): void;
}

/** An error counts as new, so that the loop looks and handles it. */
function isNews(followed: Followed): boolean {
  try {
    // The rest is read by the look that this triggers.
    return hearPiece(followed) === 'more' || followed.received.length > 0;
  } catch {
    return true;
  }
}

/** Hears the next piece of the output. */
function hearPiece(followed: Followed): 'more' | 'all' {
  const { lines, isMore } = followed.pieces.next();
  for (const { text, fromBytes } of lines) {
    followed.told(text);
    const place = `${followed.source.name}:${fromBytes}`;
    followed.progress += followed.listener.isKeepAlive?.(text) ? 0 : 1;
    for (const [i, input] of followed.listener(text).entries()) {
      followed.received.push({ id: inputId('stream', place, i), input });
    }
  }
  return isMore ? 'more' : 'all';
}

/** Hears all that is there: little, where it was caught up with before. */
function hearAll(followed: Followed): void {
  while (hearPiece(followed) === 'more');
}
