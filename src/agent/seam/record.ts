import type { OpenCall } from '../../core/session.ts';
import type { Counted } from '../../core/usage.ts';
import type { LineReader } from './lines.ts';
import type { LostConversation, RecordSearch } from './record-search.ts';
import type { TurnEnd } from './turns.ts';
import type { CountedMessage } from './usage.ts';

/** Where an agent writes down its conversations, and how they are read. */
export interface AgentRecord<S> extends RecordReader<S> {
  /** Where a conversation is written down. The supervisor reads the sources and hands over what is in them. */
  sources(files: RecordFiles, env: LazyEnv, conversation: WhichConversation): RecordSources;
  /**
   * Where to look for a conversation whose id the agent chose and did not tell before its run ended. Absent: it cannot
   * be found, and a prompt that may have begun it is not sent again.
   */
  find?(files: RecordFiles, env: LazyEnv, lost: LostConversation): RecordSearch;
  /** Reads a transcript for people, turn by turn. */
  readonly turns: LineReader<unknown, readonly TurnRead[]>;
}

/** The environment of the caller, read when it is needed: most of the time the agent has said where it writes. */
export type LazyEnv = () => Readonly<Record<string, string>>;

/** A conversation, as far as it is known. */
export interface WhichConversation {
  readonly id: string | null;
  /** Where the agent itself said that it writes it down. */
  readonly reported: string | null;
}

/**
 * What an adapter may ask about files. A folder or file that cannot be read is empty here; the supervisor remembers it,
 * and takes what was not found then for unknown.
 */
export interface RecordFiles {
  names(folder: string): readonly string[];
  /** Is there a file with something in it that we may read? */
  isThere(path: string): boolean;
}

/** Where one conversation is written down. */
export interface RecordSources {
  /** What the agent itself writes; null: there is nothing yet, or nothing any more. */
  readonly main: RecordSource | null;
  /** What its sub-agents write. */
  sides(): readonly RecordSource[];
  /** Where a person would look for it; null: nobody can say. */
  place(): string | null;
}

/** Where lines come from. A source that cannot be read now is not empty: nobody knows what is in it. */
export type RecordSource = FileSource | DatabaseSource;

/** A file of lines that only grows, unless it is written anew. */
export interface FileSource {
  readonly is: 'file';
  readonly path: string;
}

/** Rows of a SQLite file, which its agent changes in place. It is only read, beside the agent and not for long. */
export interface DatabaseSource {
  readonly is: 'database';
  readonly path: string;
  /**
   * Gives `line`, a row as JSON, and `at`, a number that grows when a row is changed, of all rows of `$id` with
   * `at >= $since`, lowest first. It uses an index.
   */
  readonly query: string;
  readonly id: string;
  /** Lower values of `at` are never wanted; missing: all rows are. */
  readonly since?: number;
}

/** The files among the sources. */
export function filesAmong(sources: readonly RecordSource[]): readonly string[] {
  return sources.flatMap((source) => (source.is === 'file' ? source.path : []));
}

/** Reads what an agent writes down about its conversation. What it keeps is bounded, however long that gets. */
export interface RecordReader<S> extends LineReader<S, TranscriptView> {
  /** Forgets messages whose use was counted. */
  settle(known: S, counted: Counted): S;
  /** What a text is compared by: two texts are the same when they have one of these in common. */
  keysOf(text: string): readonly string[];
}

/** What a transcript, or the end of one, says. */
export interface TranscriptView {
  /** There is something to resume. */
  readonly isBegun: boolean;
  /** There were prompts before the ones in here. */
  readonly isCut: boolean;
  /** The last prompts and what became of them, oldest first. */
  readonly prompts: readonly RecordedPrompt[];
  /** The last messages, oldest first: all whose use was not counted yet. */
  readonly messages: readonly CountedMessage[];
  /** The last texts that hooks told the agent itself, oldest first. */
  readonly contexts: readonly string[];
  /** The calls of the last turn whose result is not written down. */
  readonly open: readonly OpenCall[];
}

/** A prompt in a transcript. */
export interface RecordedPrompt extends TurnEnd {
  /** What its text is compared by. */
  readonly keys: readonly string[];
  /** The agent's own id of the turn. */
  readonly turnId: string | null;
  /** It joined a turn that was running, and comes under that turn's id. */
  readonly isSteered: boolean;
  /** Wall time. */
  readonly atMs: number | null;
  /** The id that whoever gave it chose, where the agent keeps that. */
  readonly given?: string;
}

/** A turn for people and programs. */
export interface TurnRead {
  readonly prompt: string;
  /** As Markdown; the results of tools are cut unless everything is wanted. */
  markdown(full: boolean): string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Are these two texts the same to this record? */
export function isSameText({ keysOf }: Pick<AgentRecord<unknown>, 'keysOf'>, one: string, other: string): boolean {
  const keys = keysOf(other);
  return keysOf(one).some((key) => keys.includes(key));
}
