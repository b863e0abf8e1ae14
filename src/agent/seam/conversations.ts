import type { OpenCall, PermissionMode } from '../../core/session.ts';
import type { LineReader } from './lines.ts';

/** The state of a conversation, as far as the evidence goes. Only `interrupted` is ever resumed. */
export type Verdict =
  | 'interrupted'
  | 'complete'
  | 'trivial'
  | 'limited'
  | 'failed'
  | 'waiting'
  | 'alive'
  | 'stale'
  | 'foreign-owner'
  | 'system'
  | 'handled'
  | 'unreadable'
  | 'unknown';

/** A verdict and its reason, in a sentence for people. */
export interface Judgement {
  readonly is: Verdict;
  readonly why: string;
}

/** What the last lines of a conversation say. */
export interface Judged extends Judgement {
  /** Lines that could not be read, and blocks that are zeroed. */
  readonly skipped: number;
  /** When the last entry was written, by its own timestamp; null: it has none. Wall time. */
  readonly saidAtMs?: number | null;
}

/** The end of a conversation file, from the beginning of a line. */
export interface Tail {
  readonly text: string;
  /** It is the whole file. */
  readonly isWhole: boolean;
}

/**
 * The conversations in an agent's store, including those that Outlast did not start. Pure: the caller reads the files
 * and passes their content.
 */
export interface Conversations {
  /** The agent's name. */
  readonly agent: string;
  /** The folders in which it stores everything. `more`: folders that the user named. */
  homes(files: Files, env: Env, more: readonly string[]): readonly string[];
  list(files: Files, home: string): readonly Listed[];
  /** Does this line say nothing about the state of the conversation? Decided by its first bytes. */
  isNoise(head: string): boolean;
  /** Judges the end of a conversation; null: this much is not enough, more is needed. */
  judge(tail: Tail): Judged | null;
  /** Reads the end of it for what is needed to take it up again. `first`: its first lines. */
  about(first: string, listed: Listed): LineReader<unknown, About>;
  readonly resume: Resuming;
  /** For conversations in databases. */
  readonly stored?: Stored;
  /** What processes recorded about themselves in this home; they may have ended long ago. */
  claims?(files: Files, home: string): readonly Claimed[];
  /** Could this process write to a conversation? Then its open files are checked. */
  isWriter?(argv: readonly string[]): boolean;
  /** Which of these processes has the conversation open; null: none of them. */
  holderOf?(conversation: Pick<Listed, 'id' | 'path'>, processes: readonly ProcessFacts[]): number | null;
  /**
   * Could this process have it open, although it does not say so? A conversation that others began is not taken over
   * then. Prompts of our own sessions do not wait for such a process.
   */
  mayHold?(conversation: Dated, process: ProcessFacts): boolean;
}

/** A conversation, and how long ago it was last written to. */
export interface Dated extends Listed {
  readonly agoMs: number;
}

/** Facts about a process that show whether it has a conversation open. */
export interface ProcessFacts {
  readonly pid: number;
  readonly argv: readonly string[];
  /** Its working folder; null: unknown. */
  readonly cwd: string | null;
  /** How long it has been running; null: unknown. */
  readonly ageMs: number | null;
  /** The environment it was started with; null: unknown. Read when it is asked for. */
  readonly env: Env | null;
  /** The files that it has open for writing. */
  readonly writes: readonly string[];
  /** The conversations that it claims to have open. */
  readonly claims: readonly string[];
}

/** A conversation, and the process that claimed to have it open. */
export interface Claimed {
  readonly conversation: string;
  readonly claim: Claim;
}

/** Conversations in databases. */
export interface Stored {
  stores(files: Files, home: string): readonly Store[];
  /** The one process that resumes them by itself, by its own record; null: there is none, or it is not known. */
  keeper(files: Files, home: string): Claim | null;
  listed(store: Store, row: StoreRow, keeper: Claim | null): Listed;
  /** The final verdict, where a keeper resumes interrupted conversations by itself. Absent: nothing does. */
  settled?(judged: Judged, when: Settling): Judged;
}

/** A database, and the queries to read it. */
export interface Store {
  readonly path: string;
  readonly home: string;
  readonly owner: string;
  /**
   * Returns `key`, `id`, `status`, `at_ms` and whether its `end` is needed, newest first; parameters `$sinceMs`,
   * `$rowsMax`.
   */
  readonly newest: string;
  /** The row of `$id`, with the columns of `newest`. */
  readonly one: string;
  /** Returns `text` or `zstd`, and `at_ms`, of the last records of `$id`, newest first. */
  readonly end: string;
  /** Returns the `bytes` of `$id`. */
  readonly size: string;
}

/** One conversation in a database. */
export interface StoreRow {
  readonly key: string;
  readonly id: string;
  readonly status: string | null;
  readonly atMs: number;
  readonly bytes: number;
  /** Its last records, one per line; null: not requested. */
  readonly end: string | null;
}

/** When a conversation was last active, and since when its keeper runs; null: it does not run. Wall times. */
export interface Settling {
  readonly atMs: number;
  readonly nowMs: number;
  readonly keeper: { readonly pid: number; readonly sinceMs: number | null } | null;
}

/** How a conversation is resumed: as a session of ours, or by a request to its keeper. */
export type Resuming =
  | {
      readonly as: 'session';
      /** The environment in which the agent finds a conversation of this home. */
      env(env: Env, home: string): Env;
    }
  | {
      readonly as: 'request';
      /** The command that requests it. */
      argv(listed: Listed, message: string): readonly [string, ...string[]];
      /** The environment in which the command reaches the keeper of this home. */
      env(env: Env, home: string): Env;
    };

/** Read access to files. A folder or file that cannot be read is empty. */
export interface Files {
  names(folder: string): readonly string[];
  text(path: string): string | null;
  /** The first bytes of a file, in whole lines. */
  first(path: string): string;
}

/** One conversation that was found. */
export interface Listed {
  readonly id: string;
  readonly path: string;
  readonly home: string;
  /** Its keeper's name for it, if that is not the id. */
  readonly key: string | null;
  /** The agent of the keeper that it belongs to. */
  readonly owner: string | null;
  /** The process that claimed to have it open. It may have ended long ago. */
  readonly claim: Claim | null;
  /** A verdict that does not need its content. */
  readonly judgement: Judgement | null;
  /** It is stored in this database instead of a file. */
  readonly stored?: { readonly store: Store; readonly row: StoreRow };
  /** The entry is a store of conversations, not a conversation. */
  readonly isStore?: true;
}

/** The process that claimed to have a conversation open, and its state then. */
export interface Claim {
  readonly pid: number;
  /** When that process started, in the kernel's clock; null: not recorded. */
  readonly start: string | null;
  readonly status: 'idle' | 'busy' | 'waiting' | 'unknown';
  /** Wall time. */
  readonly atMs: number | null;
}

/** What a conversation says about itself. */
export interface About {
  readonly cwd: string | null;
  readonly model: string | null;
  /** Its permission mode; null: not recorded. */
  readonly mode: FoundMode | null;
  /** A person had it open on a screen. */
  readonly isLive: boolean;
  /** Its last request. */
  readonly asked: string;
  /** Calls without a result. */
  readonly open: readonly OpenCall[];
}

/** Who decides about the tools of a conversation: in our word and in the agent's own. */
export type FoundMode =
  /** A word that means none of ours stands beside 'ask-all', and a run gets the word. */
  | { readonly mode: PermissionMode; readonly word: string }
  /** Why no run of ours can be given its mode, in a sentence. It is not taken over then. */
  | { readonly lost: string };

type Env = Readonly<Record<string, string>>;

/** The last record of a process that has ended is evidence too: it can decide what the file leaves open. */
export function weighed(judged: Judged, left: Claim | null): Judged {
  if (left === null) return judged;
  if (judged.is === 'interrupted' && left.status === 'waiting')
    return { ...judged, is: 'waiting', why: 'a person had been asked something when its process ended' };
  if (judged.is === 'unknown' && left.status === 'busy' && judged.why === PARTIAL)
    return { ...judged, is: 'interrupted', why: 'its process ended in the middle of an answer' };
  return judged;
}

/** The reason of a verdict that the last record of a process can decide. */
export const PARTIAL = 'the last reply has no stop reason';
