import type { Clock } from '../base/clock.ts';
import type { Outlast } from '../client/index.ts';
import { type Place, placeOf } from './resources.ts';

/** What is watched, by which callers, and what follows its output. */
interface Watched {
  readonly place: Place;
  readonly by: Set<unknown>;
  readonly over: AbortController;
}

/** Per caller; over HTTP there are several. */
const WATCHED_MAX = 256;
const ALL_MAX = 1_024;
/** The shortest interval between two updates of one resource: a burst of events is one change. */
const PAUSE_MS = 250;

/**
 * Reports when something that is watched has changed. One journal reader serves all of it, and none runs when nothing
 * is watched; output is followed separately, because it is not in the journal.
 */
export class Updates {
  readonly #outlast: Outlast;
  readonly #clock: Clock;
  readonly #tell: (uri: string) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #resting = new Map<string, boolean>();
  #reading: AbortController | null = null;

  constructor(outlast: Outlast, clock: Clock, tell: (uri: string) => void) {
    this.#outlast = outlast;
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Begins to watch a resource for a caller; false when there are too many. */
  watch(by: unknown, uri: string): boolean {
    const known = this.#watched.get(uri);
    if (known?.by.has(by)) return true;
    const own = [...this.#watched.values()].filter((each) => each.by.has(by)).length;
    if (own >= WATCHED_MAX) return false;
    if (known !== undefined) return known.by.add(by) !== undefined;
    if (this.#watched.size >= ALL_MAX) return false;
    const watched = { place: placeOf(uri), by: new Set([by]), over: new AbortController() };
    this.#watched.set(uri, watched);
    if (watched.place.kind === 'output') void this.#follow(uri, watched);
    else this.#read();
    return true;
  }

  /** Stops watching a resource for a caller; without a URI, all of them. */
  unwatch(by: unknown, uri?: string): void {
    for (const [each, { by: watchers, over }] of this.#watched) {
      if (uri !== undefined && uri !== each) continue;
      watchers.delete(by);
      if (watchers.size > 0) continue;
      over.abort();
      this.#watched.delete(each);
    }
    if ([...this.#watched.values()].some(({ place }) => place.kind !== 'output')) return;
    this.#reading?.abort();
    this.#reading = null;
  }

  /** Stops watching everything. */
  close(): void {
    for (const by of new Set([...this.#watched.values()].flatMap((each) => [...each.by]))) this.unwatch(by);
  }

  #read(): void {
    if (this.#reading !== null) return;
    const over = new AbortController();
    this.#reading = over;
    // A daemon that cannot be reached ends it; the next watch starts it again.
    const forget = (): void => {
      if (this.#reading === over) this.#reading = null;
    };
    this.#readJournal(over.signal).then(forget, forget);
  }

  async #readJournal(signal: AbortSignal): Promise<void> {
    const { after } = await this.#outlast.daemonStatus(signal);
    for await (const event of this.#outlast.events({ follow: true, after }, signal))
      for (const [uri, { place }] of this.#watched) if (await this.#concerns(place, event, signal)) this.#changed(uri);
  }

  async #concerns(place: Place, event: { session: string; event: string }, signal: AbortSignal): Promise<boolean> {
    if (place.kind === 'sessions') return /^session\.|^run\.|^prompt\.|^turn\./.test(event.event);
    if (place.kind === 'output') return false;
    if (place.kind === 'turn' && !/^turn\.|^prompt\.|^tool\./.test(event.event)) return false;
    if (place.session === event.session) return true;
    // Only an id is certain; a name is looked up.
    const named = await this.#outlast.show(place.session, signal).catch(() => null);
    return named?.session.id === event.session;
  }

  async #follow(uri: string, { place, over }: Watched): Promise<void> {
    try {
      for await (const _ of this.#outlast.follow({ session: place.session }, over.signal)) this.#changed(uri);
    } catch {
      // It is gone, or never existed: it will not change any more.
    }
  }

  #changed(uri: string): void {
    if (this.#resting.has(uri)) return void this.#resting.set(uri, true);
    this.#resting.set(uri, false);
    this.#tell(uri);
    void this.#clock.sleep(PAUSE_MS).then(() => {
      const again = this.#resting.get(uri) === true && this.#watched.has(uri);
      this.#resting.delete(uri);
      if (again) this.#changed(uri);
    });
  }
}
