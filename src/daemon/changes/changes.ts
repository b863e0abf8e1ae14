import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { nameOf } from '../../core/name.ts';
import type { Session, SessionId } from '../../core/session.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';
import { knownShadow, makeShadow, type Place } from './shadow.ts';
import { snapshot, type Tree } from './snapshot.ts';

/** The files of a session at one time. */
export interface Kept {
  readonly at: 'start' | 'turn' | 'end';
  /** The prompt that was about to be sent; null: none was. */
  readonly prompt: string | null;
  readonly atMs: number;
  readonly tookMs: number;
  readonly tree: string | null;
  readonly skipped: readonly string[];
  /** Why there is no tree. */
  readonly why?: string;
}

/** How much a session may keep. */
const SNAPSHOTS_MAX = 1_000;

/**
 * Keeps what the files of an agent session are when it starts, before each of its prompts, and when it ends: as trees
 * in a git repository in the folder of the session. It fails quietly: a session does not depend on it.
 */
export class Changes {
  readonly #state: string;
  readonly #clock: Clock;
  readonly #log: Log;
  /** One after the other for each session: they share an index. */
  readonly #busy = new Map<SessionId, Promise<unknown>>();

  constructor(state: string, clock: Clock, log: Log) {
    this.#state = state;
    this.#clock = clock;
    this.#log = log;
  }

  /** Keeps the files before a prompt is sent or a run is started; once for each prompt. */
  before(session: Session, prompt: string | null): Promise<void> {
    if (session.spec.drive === 'command') return Promise.resolve();
    const kept = this.kept(session.id);
    const isKnown = prompt === null ? kept.length > 0 : kept.some((each) => each.prompt === prompt);
    // If the folder could not be kept at first, it is not tried again before each prompt.
    if (isKnown || kept[0]?.tree === null) return Promise.resolve();
    return this.#keep(session, kept.length === 0 ? 'start' : 'turn', prompt);
  }

  /** Keeps the files as the session has left them. */
  async ended(session: Session): Promise<void> {
    if (session.spec.drive === 'command' || this.kept(session.id).length === 0) return;
    await this.#keep(session, 'end', null);
  }

  /** What was kept of a session, oldest first. */
  kept(session: SessionId): Kept[] {
    try {
      const text = readFileSync(this.#file(session), 'utf8');
      return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Kept)));
    } catch {
      return [];
    }
  }

  /** The files as they are now. */
  async now(session: Session): Promise<Tree> {
    const place = this.place(session);
    const tree = await this.#alone(session.id, () => snapshot(place, this.#clock));
    if ('why' in tree) throw unread(session, tree.why);
    return tree;
  }

  place(session: Session): Place {
    const place = knownShadow(this.#folder(session.id));
    if (place === null) throw unread(session, 'no copy of its files was kept when it started');
    return place;
  }

  /** Waits for what is being kept. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#busy.values());
  }

  async #keep(session: Session, at: Kept['at'], prompt: string | null): Promise<void> {
    const { id, spec } = session;
    const beganMs = this.#clock.steadyMs();
    const atMs = this.#clock.wallMs();
    try {
      if (this.kept(id).length >= SNAPSHOTS_MAX) return;
      const tree = await this.#alone(id, async () => {
        const place = knownShadow(this.#folder(id)) ?? (await this.#made(id, spec.workspace));
        return 'why' in place ? place : snapshot(place, this.#clock);
      });
      const tookMs = Math.round(this.#clock.steadyMs() - beganMs);
      const result = 'why' in tree ? { tree: null, skipped: [], why: tree.why } : tree;
      appendFileSync(this.#file(id), `${JSON.stringify({ at, prompt, atMs, tookMs, ...result })}\n`, { mode: 0o600 });
    } catch (error) {
      this.#log('the files of a session were not kept', { session: id, why: String(error) });
    }
  }

  #made(session: SessionId, workspace: string): ReturnType<typeof makeShadow> {
    const folder = this.#folder(session);
    makeFolder(folder);
    return makeShadow(workspace, folder, this.#clock);
  }

  async #alone<T>(session: SessionId, work: () => Promise<T>): Promise<T> {
    const before = this.#busy.get(session) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#busy.set(session, mine);
    try {
      return await mine;
    } finally {
      if (this.#busy.get(session) === mine) this.#busy.delete(session);
    }
  }

  #folder(session: SessionId): string {
    return join(sessionFolder(this.#state, session), 'changes');
  }

  #file(session: SessionId): string {
    return join(this.#folder(session), 'snapshots.jsonl');
  }
}

/** Why the changes of a session cannot be shown. */
export function unread(session: Session, why: string): OutlastError {
  return new OutlastError('not_supported', `cannot show what ${nameOf(session)} changed: ${why}`);
}
