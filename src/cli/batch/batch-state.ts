import type { SessionView } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';

/** The usage of a session. */
export type Usage = SessionView['usage'];

/** The recorded state of a part. */
export interface Entry {
  readonly part: string;
  readonly fingerprint: string;
  /** Counts from 1: the next run retries a part that failed. */
  readonly try: number;
  readonly is: 'starting' | 'started' | 'answered' | 'failed' | 'stopped';
  readonly session?: string | null;
  readonly reply?: string | null;
  readonly why?: string | null;
  readonly usage?: Usage | null;
  readonly tookMs?: number | null;
}

/**
 * What a batch stores from run to run: a line for each step, written before it takes effect. A new round begins when
 * everything is repeated.
 */
export class BatchMemory {
  readonly #file: string;
  readonly #entries: Entry[] = [];
  #round = 1;

  /** Only reads, so that a look creates no file. */
  constructor(file: string) {
    this.#file = file;
    for (const line of linesOf(file)) {
      if ('round' in line) this.#begin(Number(line.round));
      else this.#entries.push(line as unknown as Entry);
    }
  }

  get round(): number {
    return this.#round;
  }

  /** Starts a new round. Earlier sessions are not touched. */
  again(): void {
    this.#begin(this.#round + 1);
    this.#append({ round: this.#round });
  }

  put(entry: Entry): void {
    this.#append(entry);
    this.#entries.push(entry);
  }

  /** The last entry for a part in its current form; null when it was never started. */
  last(part: string, fingerprint: string): Entry | null {
    return this.#of(part, fingerprint).at(-1) ?? null;
  }

  /** The usage of tries of a part that failed. */
  wasted(part: string, fingerprint: string): Usage[] {
    return this.#of(part, fingerprint).flatMap(({ is, usage }) => (is !== 'answered' && usage ? [usage] : []));
  }

  #of(part: string, fingerprint: string): Entry[] {
    return this.#entries.filter((entry) => entry.part === part && entry.fingerprint === fingerprint);
  }

  #begin(round: number): void {
    this.#round = round;
    this.#entries.length = 0;
  }

  #append(line: object): void {
    fs.mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const file = fs.openSync(this.#file, 'a', 0o600);
    try {
      // Starts on a new line, also after one that was cut off by a crash of the machine.
      fs.writeSync(file, `\n${JSON.stringify(line)}\n`);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
  }
}

/** The sum of usages; the cost is null when no agent reports it. */
export function sumOf(all: readonly Usage[]): Usage {
  const usds = all.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  return {
    turns: all.reduce((sum, { turns }) => sum + turns, 0),
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: usds.length === 0 ? null : usds.reduce((sum, usd) => sum + usd, 0),
  };
}

function linesOf(file: string): Record<string, unknown>[] {
  let text = '';
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });
}
