import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import type { PassOrder, PassResult } from './pass.ts';
import type { Answered, Told } from './protocol.ts';

/** The indexer as the daemon has it. */
export interface IndexerParts {
  readonly clock: Clock;
  /** The program of the indexer, and the folder of the index: it names the process in lists of processes. */
  readonly program: string;
  readonly folder: string;
  readonly begin: Extract<Told, { do: 'begin' }>;
}

/** How far a pass is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** It ends after so long without anything to do. */
const IDLE_MS_MAX = 60_000;
/** Beyond this its heap is not used for anything sensible. */
const HEAP_MB_MAX = 1_024;

/** The process that reads conversations and keeps the index up to date, while it is needed. */
export class IndexerProcess {
  readonly #parts: IndexerParts;
  #running: Running | null = null;
  #idle = new AbortController();

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  get progress(): Progress | null {
    return this.#running?.progress ?? null;
  }

  /** One pass. `order` is made when it is known up to where the indexer knows the sessions. */
  async pass(order: (upTo: string | null) => Promise<PassOrder>, isWanted: boolean): Promise<PassResult> {
    this.#idle.abort();
    const running = this.#started();
    let upTo = await running.ready;
    for (let tries = 1; ; tries += 1) {
      running.tell({ do: 'pass', isWanted, ...(await order(upTo)) });
      const result = await running.done();
      if (result !== null) {
        this.#endSoon(running);
        return result;
      }
      if (tries > 1) throw failed('its index is damaged again and again');
      upTo = null;
    }
  }

  /** Somebody waits for the pass that is under way. */
  hurry(): void {
    this.#running?.tell({ do: 'hurry' });
  }

  /** Ends it. What it has not written yet is read again by the next one. */
  async stop(): Promise<void> {
    this.#idle.abort();
    const running = this.#running;
    this.#running = null;
    await running?.end();
  }

  #started(): Running {
    if (this.#running?.isOver === false) return this.#running;
    this.#running = new Running(this.#parts);
    return this.#running;
  }

  #endSoon(running: Running): void {
    const idle = new AbortController();
    this.#idle = idle;
    void this.#parts.clock.sleep(IDLE_MS_MAX, idle.signal).then(() => {
      if (idle.signal.aborted || this.#running !== running) return;
      this.#running = null;
      void running.end();
    });
  }
}

/** One process. */
class Running {
  readonly #child: ChildProcess;
  readonly #over = Promise.withResolvers<never>();
  readonly #ready = Promise.withResolvers<string | null>();
  #pass = Promise.withResolvers<PassResult | null>();
  #exited: Promise<void>;
  isOver = false;
  progress: Progress | null = null;

  constructor({ program, folder, begin }: IndexerParts) {
    const argv = [`--max-old-space-size=${HEAP_MB_MAX}`, program, `${folder}/`];
    const env = { ...begin.env, NODE_NO_WARNINGS: '1' };
    this.#child = spawn(process.execPath, argv, { cwd: '/', env, stdio: ['pipe', 'pipe', 'ignore'] });
    for (const promise of [this.#over.promise, this.#ready.promise]) promise.catch(() => {});
    this.#exited = new Promise((resolve) => {
      const end = (why: string): void => {
        this.isOver = true;
        this.#over.reject(failed(why));
        resolve();
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (status, signal) => end(`its process ended: ${signal ?? `status ${status}`}`));
    });
    // A process that is gone does not read; its end says so.
    this.#child.stdin?.on('error', () => {});
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
    this.tell(begin);
  }

  get ready(): Promise<string | null> {
    return Promise.race([this.#ready.promise, this.#over.promise]);
  }

  done(): Promise<PassResult | null> {
    return Promise.race([this.#pass.promise, this.#over.promise]);
  }

  tell(told: Told): void {
    if (told.do === 'pass') this.#pass = Promise.withResolvers();
    this.#pass.promise.catch(() => {});
    this.#child.stdin?.write(`${JSON.stringify(told)}\n`);
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    this.#child.kill('SIGTERM');
    await this.#exited;
  }

  #hear(line: string): void {
    const answered = JSON.parse(line) as Answered;
    if (answered.is === 'ready') this.#ready.resolve(answered.upTo);
    else if (answered.is === 'progress') this.progress = { done: answered.done, total: answered.total };
    else {
      this.progress = null;
      if (answered.is === 'done') this.#pass.resolve(answered.result);
      else this.#fail(failed(answered.why));
    }
  }

  #fail(error: OutlastError): void {
    this.#ready.reject(error);
    this.#pass.reject(error);
  }
}

function failed(why: string): OutlastError {
  return new OutlastError('internal', `the search index cannot be kept up to date: ${why}`);
}
