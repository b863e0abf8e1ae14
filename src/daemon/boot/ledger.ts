import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BootView } from '../../api/contract-boot.ts';
import { makeFolder, writeDurably, writeWhole } from '../../base/files.ts';

/** So many tries to resume a conversation may fail before it is left alone. */
export const TRIES_MAX = 3;
/** What was not tried for so long is forgotten. */
const TRIES_AGE_MS_MAX = 30 * 24 * 3_600_000;
const BOOTS_MAX = 50;
const LOG_BYTES_MAX = 4 * 1024 * 1024;

interface Tries {
  readonly count: number;
  readonly atMs: number;
}

/** What is remembered of earlier boots: how often each conversation was tried, and a log. */
export class Ledger {
  readonly #tries: string;
  readonly #log: string;
  readonly #untold: string;
  readonly #down: string;
  readonly #slept: string;

  constructor(state: string) {
    makeFolder(join(state, 'boot'));
    this.#tries = join(state, 'boot', 'tries.json');
    this.#log = join(state, 'boot', 'log.jsonl');
    this.#untold = join(state, 'boot', 'untold.json');
    this.#down = join(state, 'boot', 'down.json');
    this.#slept = join(state, 'boot', 'slept.json');
  }

  /** How often this one was tried without success. */
  tries(conversation: string): number {
    return this.#read()[conversation]?.count ?? 0;
  }

  /** Before a try: durable when it returns, so that one that takes the machine down is counted too. */
  charge(conversation: string, nowMs: number): void {
    const fresh = Object.entries(this.#read()).filter(([, { atMs }]) => nowMs - atMs < TRIES_AGE_MS_MAX);
    const count = this.tries(conversation) + 1;
    writeDurably(this.#tries, JSON.stringify({ ...Object.fromEntries(fresh), [conversation]: { count, atMs: nowMs } }));
  }

  /** It goes on, or somebody wants it to be tried again. */
  clear(conversation: string): void {
    const { [conversation]: gone, ...rest } = this.#read();
    if (gone !== undefined) writeDurably(this.#tries, JSON.stringify(rest));
  }

  /** Writes down what was seen and done; the oldest is forgotten. */
  add(boot: BootView): void {
    const line = `${JSON.stringify(boot)}\n`;
    const kept = this.#lines();
    if (kept.length < BOOTS_MAX && bytesOf(kept) + line.length < LOG_BYTES_MAX) {
      return appendFileSync(this.#log, line, { mode: 0o600 });
    }
    const left = kept.slice(1 - BOOTS_MAX);
    while (left.length > 0 && bytesOf(left) + line.length >= LOG_BYTES_MAX) left.shift();
    writeWhole(this.#log, [...left.map((one) => `${one}\n`), line].join(''));
  }

  /** The newest boots, newest first. */
  last(limit: number): BootView[] {
    return this.#lines()
      .toReversed()
      .flatMap((line) => parsed<BootView>(line) ?? [])
      .slice(0, limit);
  }

  /** When the machine last went down, as far as somebody knew. */
  down(): number | null {
    return parsed<number>(readText(this.#down));
  }

  setDown(atMs: number | null): void {
    writeDurably(this.#down, JSON.stringify(atMs));
  }

  /** When it last fell asleep; that may have been before it was started anew. */
  slept(): number | null {
    return parsed<number>(readText(this.#slept));
  }

  setSlept(atMs: number | null): void {
    writeDurably(this.#slept, JSON.stringify(atMs));
  }

  /** What people are to be told of, until they were. */
  untold(): BootView | null {
    return parsed<BootView>(readText(this.#untold));
  }

  /** Remembers that this is to be told; null: it was. */
  setUntold(boot: BootView | null): void {
    if (boot === null) rmSync(this.#untold, { force: true });
    else writeDurably(this.#untold, JSON.stringify(boot));
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

/** A line that a crash has torn is no line. */
function parsed<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
