import type { LogCall, LogLine } from '../../api/logs-shape.ts';

/** One part of a conversation as it is shown. The key stays while the part grows. */
export type Entry =
  | { readonly is: 'calls'; readonly key: string; readonly lines: readonly LogLine[] }
  | { readonly is: 'text'; readonly key: string; readonly line: LogLine; readonly isLive: boolean }
  | { readonly is: 'question'; readonly key: string; readonly line: LogLine; readonly approval: string }
  | PlainEntry;

/** A part that is one line and nothing more. */
export interface PlainEntry {
  readonly is: Plain;
  readonly key: string;
  readonly line: LogLine;
}

type Plain = 'prompt' | 'steering' | 'thinking' | 'note' | 'decision' | 'fault' | 'event' | 'end';

/** The lines of a conversation, as they come and change. */
export class ConversationLines {
  #lines = new Map<string, LogLine>();
  /** What is being written, by the id of its pieces. */
  readonly #writing = new Map<string, LogLine>();

  /** How many lines there are. */
  get size(): number {
    return this.#lines.size;
  }

  /** The first line. */
  get first(): LogLine | undefined {
    return this.#lines.values().next().value;
  }

  /** Takes a new line, or one that has changed. */
  take(line: LogLine): void {
    if (line.is === 'piece') return this.#takePiece(line);
    if (line.is === 'text') this.#confirm(line.text);
    if (line.is === 'prompt' || line.is === 'end') this.#writing.clear();
    this.#lines.set(line.id, line);
  }

  /** Puts older lines before those that are known; returns how many of them are new. */
  takeOlder(lines: readonly LogLine[]): number {
    const older = lines.filter(({ id, is }) => is !== 'piece' && !this.#lines.has(id));
    this.#lines = new Map([...older.map((line) => [line.id, line] as const), ...this.#lines]);
    return older.length;
  }

  /** The parts of the conversation, oldest first. `open`: the questions that wait for an answer. */
  entries(open: ReadonlySet<string> = new Set()): Entry[] {
    const live = [...this.#writing.values()].filter(({ text }) => text.trim() !== '');
    return [
      ...entriesOf([...this.#lines.values()], open),
      ...live.map((line) => ({ is: 'text', key: line.id, line, isLive: true }) as const),
    ];
  }

  #takePiece(line: LogLine): void {
    const known = this.#writing.get(line.id)?.text ?? '';
    const from = line.from ?? 0;
    // After a lost connection a text comes again from its beginning.
    if (from > known.length) return;
    this.#writing.set(line.id, { ...line, text: known.slice(0, from) + line.text });
  }

  /** A text that was recorded is no longer being written. */
  #confirm(text: string): void {
    const whole = text.trim();
    for (const [id, { text: begun }] of this.#writing) {
      const written = begun.trim();
      if (whole.startsWith(written) || written.startsWith(whole)) this.#writing.delete(id);
    }
  }
}

/** Calls that follow each other are one part, with what the agent thought and who allowed them in between. */
function entriesOf(lines: readonly LogLine[], open: ReadonlySet<string>): Entry[] {
  const entries: Entry[] = [];
  let run: LogLine[] = [];
  const close = (): void => {
    if (run.length > 0) entries.push(...closed(run));
    run = [];
  };
  for (const line of lines) {
    if (line.is === 'question') {
      // Once it is answered, the decision says all of it.
      if (line.approval === undefined || !open.has(line.approval)) continue;
      close();
      entries.push({ is: 'question', key: line.id, line, approval: line.approval });
    } else if (
      line.is === 'call' ||
      line.is === 'thinking' ||
      (line.is === 'decision' && run.length > 0 && !isDenial(line))
    ) {
      run.push(line);
    } else {
      close();
      entries.push(entryOf(line));
    }
  }
  close();
  return entries;
}

/** A no is never folded. */
function isDenial({ text }: LogLine): boolean {
  return / denied by /.test(text);
}

/** Thoughts after the last call stand for themselves, and so do thoughts without one. */
function closed(run: readonly LogLine[]): Entry[] {
  const last = run.findLastIndex(({ is }) => is === 'call');
  const calls = run.slice(0, last + 1);
  const [first] = calls;
  return [
    ...(first === undefined ? [] : [{ is: 'calls', key: first.id, lines: calls } as const]),
    ...run.slice(last + 1).map(entryOf),
  ];
}

function entryOf(line: LogLine): Entry {
  const key = line.id;
  if (line.is === 'text' || line.is === 'piece') return { is: 'text', key, line, isLive: line.is === 'piece' };
  if (line.is === 'call') return { is: 'calls', key, lines: [line] };
  return { is: line.is === 'question' ? 'decision' : line.is, key, line };
}

/** What a run of calls did. */
export interface CallsSummary {
  /** How many did what, in the order in which that began. */
  readonly counts: readonly { readonly does: CallKind; readonly count: number }[];
  readonly failed: number;
  /** The last call that has not returned. */
  readonly running: LogLine | null;
  /** From the first call to the last result, as far as it is known. */
  readonly tookMs: number | null;
}

export type CallKind = 'read' | 'search' | 'shell' | 'write' | 'fetch' | 'mcp' | 'agent' | 'other';

/** Sums up a run of calls. */
export function summaryOf(lines: readonly LogLine[]): CallsSummary {
  const calls = lines.flatMap((line) => (line.call === undefined ? [] : [{ line, call: line.call }]));
  const kinds = Map.groupBy(calls, ({ call }) => kindOf(call));
  const took = calls.flatMap(({ call }) => call.tookMs ?? []);
  return {
    counts: [...kinds].map(([does, its]) => ({
      does,
      count: countOf(
        does,
        its.map(({ call }) => call),
      ),
    })),
    failed: calls.filter(({ call }) => hasFailed(call)).length,
    running: calls.findLast(({ call }) => !call.ended)?.line ?? null,
    tookMs: took.length === 0 ? null : took.reduce((sum, ms) => sum + ms, 0),
  };
}

/** Did a call fail? */
export function hasFailed({ error, result }: LogCall): boolean {
  return error !== null || result?.isError === true;
}

/** What a call does first. */
export function kindOf({ actions }: LogCall): CallKind {
  const [action] = actions;
  if (action?.is === 'read') return action.pattern === undefined ? 'read' : 'search';
  const known = ['shell', 'write', 'fetch', 'mcp', 'agent'] as const;
  return known.find((kind) => kind === action?.is) ?? 'other';
}

/** Files are counted once, however often they were read or edited. */
function countOf(does: CallKind, calls: readonly LogCall[]): number {
  if (does !== 'read' && does !== 'write') return calls.length;
  return new Set(calls.flatMap(({ actions }) => actions.map(({ path }) => path))).size;
}
