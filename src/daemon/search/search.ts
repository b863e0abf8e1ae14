import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SearchIndexView } from '../../api/contract-search.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Config } from '../config/schema.ts';
import { find, type Hit, type Wanted } from './find.ts';
import { deleteIndex, indexPath } from './index-file.ts';
import { IndexerProcess } from './indexer.ts';
import { orderAfter } from './orders.ts';
import { type PassResult, RESULT } from './pass.ts';
import { QueryThread, Unusable } from './query-thread.ts';

/** The dependencies of the search. */
export interface SearchParts {
  readonly config: Pick<Config, 'state' | 'search' | 'boot' | 'agents'>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string>>;
  /** The program of the indexer. */
  readonly program: string;
}

/** A search that follows another one at once finds the same. */
const FRESH_MS = 500;
/** How often it is checked whether there is something to read although nobody searches. */
const UPKEEP_MS = 10 * 60_000;
/** Conversations that Outlast did not start are looked at so often. */
const OTHERS_MS = 3_600_000;
/** Nobody searches any more: the next search reads what is missing. */
const UNUSED_MS_MAX = 14 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Searches all conversations on this machine. The first search makes its index; from then on it is kept up to date. */
export class Search {
  readonly #parts: SearchParts;
  readonly #path: string;
  readonly #thread: QueryThread;
  readonly #indexer: IndexerProcess;
  readonly #stopping = new AbortController();
  #passing: Promise<void> | null = null;
  #passedMs = Number.NEGATIVE_INFINITY;
  #head = -1;
  #result: PassResult | null = null;
  /** Why the last pass failed. */
  #why: string | null = null;

  constructor(parts: SearchParts) {
    const { config, clock, env, program } = parts;
    const { state, search, boot, agents } = config;
    this.#parts = parts;
    this.#path = indexPath(state);
    this.#thread = new QueryThread(this.#path, clock);
    const begin = { do: 'begin', state, bytesMax: search.bytesMax, env, folders: boot.folders, agents } as const;
    this.#indexer = new IndexerProcess({ clock, program, folder: dirname(this.#path), begin });
    if (search.enabled) void this.#upkeep();
    else deleteIndex(this.#path);
  }

  /** The newest texts that match, after waiting for what was said since the last search. */
  async find(wanted: Wanted, waitMs: number): Promise<Hit[]> {
    this.#refuseOff();
    this.#use();
    await this.#freshen(waitMs);
    if (!existsSync(this.#path)) return [];
    try {
      return await find(this.#thread, wanted);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      this.#parts.log('the search index cannot be read, and is built again', { why: error.message });
      await this.#forget();
      await this.#freshen(waitMs);
      return find(this.#thread, wanted).catch(() => []);
    }
  }

  /** What the index has, and whether it is up to date. */
  async status(): Promise<SearchIndexView> {
    const { search } = this.#parts.config;
    const known = this.#result ?? (await this.#stored());
    const { conversations = 0, texts = 0, atMs = null, horizonMs = null } = known ?? {};
    const why = this.#why ?? known?.why ?? null;
    const counts = { conversations, texts, bytes: bytesOf(this.#path), bytesMax: search.bytesMax, atMs, horizonMs };
    return { state: this.#state(known, why), why, progress: this.#indexer.progress, ...counts };
  }

  /** Deletes the index; returns the size that it had. */
  async delete(): Promise<number> {
    const bytes = bytesOf(this.#path);
    await this.#forget();
    return bytes;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#thread.stop();
    await this.#indexer.stop();
    await this.#passing;
  }

  #state(known: PassResult | null, why: string | null): SearchIndexView['state'] {
    if (!this.#parts.config.search.enabled) return 'off';
    if (known === null) return this.#passing === null ? (why === null ? 'none' : 'partial') : 'building';
    return why === null ? 'current' : 'partial';
  }

  #refuseOff(): void {
    if (this.#parts.config.search.enabled) return;
    const why = 'the search is off: run `outlast config set search.enabled true`, then `outlast daemon restart`';
    throw new OutlastError('not_supported', why);
  }

  /** Reads what is new, and waits for it, but not for longer than this. */
  async #freshen(waitMs: number): Promise<void> {
    const { clock } = this.#parts;
    if (this.#passing === null && clock.steadyMs() - this.#passedMs < FRESH_MS) return;
    if (this.#passing === null) this.#begin(true);
    else this.#indexer.hurry();
    const over = new AbortController();
    await Promise.race([this.#passing, clock.sleep(waitMs, over.signal)]);
    over.abort();
  }

  #begin(isWanted: boolean): void {
    this.#passing = this.#pass(isWanted).finally(() => {
      this.#passing = null;
    });
  }

  async #pass(isWanted: boolean): Promise<void> {
    const { journal, clock, log } = this.#parts;
    const head = journal.head();
    try {
      this.#result = await this.#indexer.pass((upTo) => orderAfter(journal, upTo, clock.wallMs()), isWanted);
      this.#why = null;
      this.#head = head;
      this.#passedMs = clock.steadyMs();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#why = error instanceof Error ? error.message : String(error);
      log('the search index cannot be brought up to date', { why: this.#why });
    }
  }

  /** Nobody waits: what was written is read now and then, so that the next search need not wait for it. */
  async #upkeep(): Promise<void> {
    const { clock, journal } = this.#parts;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await clock.sleep(UPKEEP_MS, signal);
      if (signal.aborted || this.#passing !== null || !this.#isUsed()) continue;
      const isChanged = journal.head() !== this.#head;
      if (isChanged || clock.steadyMs() - this.#passedMs > OTHERS_MS) this.#begin(false);
    }
  }

  async #forget(): Promise<void> {
    this.#thread.stop('the index was deleted');
    await this.#indexer.stop();
    await this.#passing;
    deleteIndex(this.#path);
    this.#result = null;
    this.#why = null;
    this.#passedMs = Number.NEGATIVE_INFINITY;
  }

  async #stored(): Promise<PassResult | null> {
    if (!this.#parts.config.search.enabled || !existsSync(this.#path)) return null;
    try {
      const [row] = await this.#thread.ask('SELECT value FROM meta WHERE key = $key', { key: RESULT });
      return row === undefined ? null : (JSON.parse(String(row.value)) as PassResult);
    } catch {
      return null;
    }
  }

  /** Notes that somebody searches, in the time of a file. */
  #use(): void {
    const path = usePath(this.#path);
    const nowMs = this.#parts.clock.wallMs();
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && Math.abs(nowMs - stat.mtimeMs) < HOUR_MS) return;
    makeFolder(dirname(path));
    if (stat === undefined) writeFileSync(path, '', { mode: 0o600 });
    else utimesSync(path, nowMs / 1_000, nowMs / 1_000);
  }

  #isUsed(): boolean {
    const stat = statSync(usePath(this.#path), { throwIfNoEntry: false });
    return existsSync(this.#path) && this.#parts.clock.wallMs() - (stat?.mtimeMs ?? 0) < UNUSED_MS_MAX;
  }
}

function usePath(index: string): string {
  return join(dirname(index), 'used');
}

function bytesOf(index: string): number {
  return ['', '-wal', '-shm'].reduce(
    (sum, end) => sum + (statSync(`${index}${end}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
