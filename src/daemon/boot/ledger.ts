import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BootView } from '../../api/contract-boot.ts';
import { makeFolder, writeDurably, writeWhole } from '../../base/files.ts';

/** After this many failed tries a conversation is not resumed any more. */
export const TRIES_MAX = 3;
/** Tries older than this are forgotten. */
const TRIES_AGE_MS_MAX = 30 * 24 * 3_600_000;
const BOOTS_MAX = 50;
const LOG_BYTES_MAX = 4 * 1024 * 1024;

interface Tries {
  readonly count: number;
  readonly atMs: number;
}

/** What is remembered of earlier scans: how often each conversation was tried, and a log. */
export class Ledger {
  readonly #tries: string;
  readonly #log: string;
  readonly #unsent: string;
  readonly #down: string;
  readonly #slept: string;

  constructor(state: string) {
    makeFolder(join(state, 'boot'));
    this.#tries = join(state, 'boot', 'tries.json');
    this.#log = join(state, 'boot', 'log.jsonl');
    this.#unsent = join(state, 'boot', 'untold.json');
    this.#down = join(state, 'boot', 'down.json');
    this.#slept = join(state, 'boot', 'slept.json');
  }

  /** How often this conversation was tried without success. */
  tries(conversation: string): number {
    return this.#read()[conversation]?.count ?? 0;
  }

  /** Counts a try before it starts. It is durable on return, so that a try that crashes the machine counts too. */
  charge(conversation: string, nowMs: number): void {
    const fresh = Object.entries(this.#read()).filter(([, { atMs }]) => nowMs - atMs < TRIES_AGE_MS_MAX);
    const count = this.tries(conversation) + 1;
    writeDurably(this.#tries, JSON.stringify({ ...Object.fromEntries(fresh), [conversation]: { count, atMs: nowMs } }));
  }

  /** Resets the count: the conversation continues, or a caller wants it tried again. */
  clear(conversation: string): void {
    const { [conversation]: gone, ...rest } = this.#read();
    if (gone !== undefined) writeDurably(this.#tries, JSON.stringify(rest));
  }

  /** Records a scan and its results; the oldest are dropped. */
  add(boot: BootView): void {
    const line = `${JSON.stringify(boot)}\n`;
    const kept = this.#lines();
    if (kept.length < BOOTS_MAX && bytesOf(kept) + line.length < LOG_BYTES_MAX) {
      return appendFileSync(this.#log, line, { mode: 0o600 });
    }
    const rest = kept.slice(1 - BOOTS_MAX);
    while (rest.length > 0 && bytesOf(rest) + line.length >= LOG_BYTES_MAX) rest.shift();
    writeWhole(this.#log, [...rest.map((one) => `${one}\n`), line].join(''));
  }

  /** The newest scans, newest first. */
  last(limit: number): BootView[] {
    return this.#lines()
      .toReversed()
      .flatMap((line) => parsed<BootView>(line) ?? [])
      .slice(0, limit);
  }

  /** When the machine last went down, if known. */
  down(): number | null {
    return parsed<number>(readText(this.#down));
  }

  setDown(atMs: number | null): void {
    writeDurably(this.#down, JSON.stringify(atMs));
  }

  /** When it last went to sleep; that may have been before the last boot. */
  slept(): number | null {
    return parsed<number>(readText(this.#slept));
  }

  setSlept(atMs: number | null): void {
    writeDurably(this.#slept, JSON.stringify(atMs));
  }

  /** The scan whose notices are not sent yet. */
  unsent(): BootView | null {
    return parsed<BootView>(readText(this.#unsent));
  }

  /** Saves the scan whose notices are to be sent; null: they were sent. */
  setUnsent(boot: BootView | null): void {
    if (boot === null) rmSync(this.#unsent, { force: true });
    else writeDurably(this.#unsent, JSON.stringify(boot));
  }

  #lines(): string[] {
    return readText(this.#log)
      .split('\n')
      .filter((line) => line !== '');
  }

  #read(): Record<string, Tries> {
    return parsed<Record<string, Tries>>(readText(this.#tries)) ?? {};
  }
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Parses a line; null for one that a crash has torn. */
function parsed<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
