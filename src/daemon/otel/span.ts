import { createHash } from 'node:crypto';

/** A value that an attribute can have. */
export type AttributeValue = string | number | boolean;

/** A span that has ended, as it is handed to the program that sends it. */
export interface SpanRecord {
  readonly trace: string;
  readonly span: string;
  /** Null: it is the root of its trace. */
  readonly parent: string | null;
  readonly name: string;
  /** client: the work of another program; internal: of ours. */
  readonly kind: 'client' | 'internal';
  readonly startMs: number;
  readonly endMs: number;
  /** What kind of failure; null: none. */
  readonly error: string | null;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

// Ids are hashes of ours: a span that is sent again, after a restart or on another day, has the same id.

/** The id of the trace of a session, by the root of its owners. */
export function traceId(root: string): string {
  return hashed(['trace', root], TRACE_DIGITS);
}

/** The id of a span, by what it is and of what. */
export function spanId(...what: readonly (string | number)[]): string {
  return hashed(['span', ...what], SPAN_DIGITS);
}

function hashed(words: readonly (string | number)[], digits: number): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, digits);
}
