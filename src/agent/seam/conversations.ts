import type { OpenCall, PermissionMode } from '../../core/session.ts';
import type { LineReader } from './lines.ts';

/** What has become of a conversation, as far as the evidence goes. Only `interrupted` is ever taken up again. */
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
  /** When the last of it was said, by its own word; null: it does not say. Wall time. */
  readonly saidAtMs?: number | null;
}

/** The end of a file of conversation, from the beginning of a line. */
export interface Tail {
  readonly text: string;
  /** There is nothing before it. */
  readonly isWhole: boolean;
}

/**
 * The conversations that an agent keeps, whoever began them. Pure like all we know of agents: whoever asks reads the
 * files and hands over what was in them.
 */
export interface Conversations {
  /** The agent's name. */
  readonly agent: string;
  /** The folders in which it keeps everything. `more`: folders that somebody named. */
  homes(files: Files, env: Env, more: readonly string[]): readonly string[];
  list(files: Files, home: string): readonly Listed[];
  /** A line that says nothing about where the conversation stands, told by its first bytes. */
  isNoise(head: string): boolean;
  /** Judges the end of a conversation; null: so little of it tells nothing, give more. */
  judge(tail: Tail): Judged | null;
  /** Reads the end of it for what is needed to take it up again. `first`: its first lines. */
  about(first: string, listed: Listed): LineReader<unknown, About>;
  readonly resume: Resuming;
  /** For what it keeps in databases. */
  readonly stored?: Stored;
  /** What processes say of themselves in this home; they may be long gone. */
  claims?(files: Files, home: string): readonly Claimed[];
  /** Might this process write to a conversation? Then its open files are worth a look. */
  isWriter?(argv: readonly string[]): boolean;
  /** Which of these processes has the conversation open; null: none of them. */
  holderOf?(conversation: Pick<Listed, 'id' | 'path'>, processes: readonly ProcessFacts[]): number | null;
}

/** A process, as far as it tells whether it has a conversation open. */
export interface ProcessFacts {
  readonly pid: number;
  readonly argv: readonly string[];
  /** The files that it has open for writing. */
  readonly writes: readonly string[];
  /** The conversations that it says it has open. */
  readonly claims: readonly string[];
}

/** A conversation, and who said to have it open. */
export interface Claimed {
  readonly conversation: string;
  readonly claim: Claim;
}

/** The conversations in databases of an agent that goes on with them by itself. */
export interface Stored {
  stores(files: Files, home: string): readonly Store[];
  /** The process that alone may go on with them, as it says itself. */
  keeper(files: Files, home: string): Claim | null;
  listed(store: Store, row: StoreRow, keeper: Claim | null): Listed;
  /** What becomes of a verdict when its keeper takes up by itself what was interrupted. */
  settled(judged: Judged, when: Settling): Judged;
}

/** A database, and the queries by which it is read. */
export interface Store {
  readonly path: string;
  readonly home: string;
  readonly owner: string;
  /** Gives `key`, `id`, `status`, `at_ms` and whether its `end` is wanted, newest first; of `$sinceMs`, `$rowsMax`. */
  readonly newest: string;
  /** Gives the same of `$id`. */
  readonly one: string;
  /** Gives `text` or `zstd`, and `at_ms`, of the last records of `$id`, newest first. */
  readonly end: string;
  /** Gives the `bytes` of `$id`. */
  readonly size: string;
}

/** What a database says of one conversation. */
export interface StoreRow {
  readonly key: string;
  readonly id: string;
  readonly status: string | null;
  readonly atMs: number;
  readonly bytes: number;
  /** Its last records, a line each; null: nobody asked for them. */
  readonly end: string | null;
}

/** When a conversation was last active, and since when its keeper runs; null: it does not. Wall times. */
export interface Settling {
  readonly atMs: number;
  readonly nowMs: number;
  readonly keeper: { readonly pid: number; readonly sinceMs: number | null } | null;
}

/** How a conversation is taken up again: as a session of ours, or by asking whoever keeps it. */
export type Resuming =
  | {
      readonly as: 'session';
      /** The environment in which the agent finds a conversation of this home. */
      env(env: Env, home: string): Env;
    }
  | {
      readonly as: 'request';
      /** The command that asks for it. */
      argv(listed: Listed, message: string): readonly [string, ...string[]];
      /** The environment in which that reaches the keeper of this home. */
      env(env: Env, home: string): Env;
    };

/** What can be read. A folder or file that cannot be read is empty. */
export interface Files {
  names(folder: string): readonly string[];
  text(path: string): string | null;
}

/** One conversation that was found. */
export interface Listed {
  readonly id: string;
  readonly path: string;
  readonly home: string;
  /** What its keeper calls it, where that is not the id. */
  readonly key: string | null;
  /** Whose it is among the agents of its keeper. */
  readonly owner: string | null;
  /** The process that said it has it open. It may be long gone. */
  readonly claim: Claim | null;
  /** A verdict that needs no look inside. */
  readonly judgement: Judgement | null;
  /** It is no file of its own but in this database. */
  readonly stored?: { readonly store: Store; readonly row: StoreRow };
  /** It is where conversations are kept, and none itself. */
  readonly isStore?: true;
}

/** Who said to have a conversation open, and how it was then. */
export interface Claim {
  readonly pid: number;
  /** When that process started, as the kernel counts; null: it did not say. */
  readonly start: string | null;
  readonly status: 'idle' | 'busy' | 'waiting' | 'unknown';
  /** Wall time. */
  readonly atMs: number | null;
}

/** What a conversation says of itself. */
export interface About {
  readonly cwd: string | null;
  readonly model: string | null;
  /** Who decides about its tools; null: it does not say. */
  readonly mode: FoundMode | null;
  /** A person had it on a screen. */
  readonly isLive: boolean;
  /** The last thing it was asked. */
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

/** What a process that is gone said last is evidence too: it can tell what the file leaves open. */
export function weighed(judged: Judged, left: Claim | null): Judged {
  if (left === null) return judged;
  if (judged.is === 'interrupted' && left.status === 'waiting')
    return { ...judged, is: 'waiting', why: 'a person had been asked something when its process ended' };
  if (judged.is === 'unknown' && left.status === 'busy' && judged.why === PARTIAL)
    return { ...judged, is: 'interrupted', why: 'its process ended in the middle of an answer' };
  return judged;
}

/** The reason of a verdict that the last word of a process can settle. */
export const PARTIAL = 'the last reply has no stop reason';
