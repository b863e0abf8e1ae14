import { type FSWatcher, watch } from 'node:fs';
import type { HookReport } from '../agent/seam/hooks.ts';
import type { Listener, TurnsDrive } from '../agent/seam/turns.ts';
import { errnoOf } from '../base/errors.ts';
import { letOthers } from '../base/others.ts';
import { inputId } from '../core/cause.ts';
import type { InputId } from '../core/event.ts';
import type { Session, SessionId } from '../core/session.ts';
import { say, tokenOf } from '../core/steps.ts';
import { LinePieces } from '../terminal/line-pieces.ts';
import { runFolder, runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import type { SpoolParts } from './spool.ts';

/** What streams need from the world. */
export interface StreamParts extends Pick<SpoolParts, 'state' | 'submit' | 'now' | 'log'> {
  readonly nudge: (session: SessionId) => void;
}

interface Heard {
  readonly id: InputId;
  readonly input: HookReport;
}

interface Followed {
  readonly ref: RunRef;
  readonly path: string;
  readonly listener: Listener;
  watcher: FSWatcher | null;
  readonly pieces: LinePieces;
  /** How many of them show progress. */
  progress: number;
  /** Read, but not ingested yet. */
  received: Heard[];
}

/**
 * Follows the output of runs of one turn. Output is in a file before anything else happens, so a new daemon reads it
 * from the beginning; the position of a line is its id, and known lines change nothing.
 */
export class Streams {
  readonly #parts: StreamParts;
  readonly #followed = new Map<SessionId, Followed>();

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Reads the output so far, in pieces, with a turn of the event loop after each. */
  async catchUp(session: Session, ref: RunRef, turns: TurnsDrive): Promise<void> {
    if (!isTurning(session)) return;
    const followed = this.#follow(ref, turns);
    while (hearPiece(followed) === 'more') await letOthers();
  }

  /** Is there more output than can be read at once? Then catch up first. */
  isFarBehind(session: Session, ref: RunRef, turns: TurnsDrive): boolean {
    return isTurning(session) && this.#follow(ref, turns).pieces.isFarBehind;
  }

  /** Reads the output so far, and returns how to ingest it. Null: there is nothing to follow. */
  listen(session: Session, ref: RunRef, turns: TurnsDrive): Stream | null {
    if (!isTurning(session)) {
      this.forget(session.id);
      return null;
    }
    const followed = this.#follow(ref, turns);
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

  /** A session that is over prints nothing more. */
  forget(session: SessionId): void {
    this.#followed.get(session)?.watcher?.close();
    this.#followed.delete(session);
  }

  #follow(ref: RunRef, turns: TurnsDrive): Followed {
    const known = this.#followed.get(ref.session);
    const followed = known?.ref.run === ref.run ? known : this.#begin(ref, turns);
    // The file may not have existed before.
    followed.watcher ??= this.#watch(followed);
    return followed;
  }

  #begin(ref: RunRef, turns: TurnsDrive): Followed {
    this.forget(ref.session);
    const path = runFolder(this.#parts.state, ref).output;
    const followed = {
      ref,
      path,
      listener: turns.listener(ref.run),
      watcher: null,
      pieces: new LinePieces(path),
      progress: 0,
      received: [],
    };
    this.#followed.set(ref.session, followed);
    return followed;
  }

  /** Wakes up the session only for new reports. If the watch fails, the slow look of every loop finds them. */
  #watch(followed: Followed): FSWatcher | null {
    try {
      const watcher = watch(followed.path, { persistent: false }, () => {
        if (isNews(followed)) this.#parts.nudge(followed.ref.session);
      });
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') this.#parts.log('an output is not watched', { why: String(error) });
      return null;
    }
  }

  #take(session: Session, followed: Followed, count: number): void {
    const { received } = followed;
    for (const { id, input } of received.slice(0, count)) {
      const current = this.#parts.now(session);
      this.#parts.submit(current, id, named(current, input));
    }
    followed.received = received.slice(count);
  }
}

/** What one run printed. */
export interface Stream {
  /** Ingests what had been printed at that time. */
  ingest(): void;
  /** Ingests everything printed by now. */
  ingestAll(): void;
}

/** A process of one turn has one prompt: where its output does not repeat the text, it is that one. */
function named(session: Session, input: HookReport): HookReport {
  if (input.type !== 'hook.prompted' || input.token !== null || input.text !== '') return input;
  const ours = session.prompts.find((p) => p.run === input.run && p.state !== 'queued');
  return ours === undefined ? input : { ...input, token: tokenOf(ours), text: say(ours)?.text ?? '' };
}

/** Is there a process of one turn, whose output is a stream? */
function isTurning({ spec, run, phase }: Session): boolean {
  if (spec.drive !== 'turns' || run === null || run.how === 'visit') return false;
  return phase.at === 'working' || phase.at === 'blocked' || phase.at === 'opening';
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
    const place = `${runName(followed.ref)}:${fromBytes}`;
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
