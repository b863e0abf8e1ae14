import type { OpenCall } from '../../core/session.ts';
import type { Counted, LimitWindow } from '../../core/usage.ts';
import type { LineReader } from './lines.ts';
import type { LostConversation, RecordSearch } from './record-search.ts';
import type { TurnEnd } from './turns.ts';
import type { CountedMessage } from './usage.ts';

/** Where an agent stores its conversations, and how they are read. */
export interface AgentRecord<S> extends RecordReader<S> {
  /** Where a conversation is stored. The supervisor reads the sources and passes their content. */
  sources(files: RecordFiles, env: LazyEnv, conversation: WhichConversation): RecordSources;
  /**
   * Where to look for a conversation whose id the agent chose and did not tell before its run ended. Absent: it cannot
   * be found, and a prompt that may have begun it is not sent again.
   */
  find?(files: RecordFiles, env: LazyEnv, lost: LostConversation): RecordSearch;
  /** Reads a transcript for people, turn by turn. */
  readonly turns: LineReader<unknown, readonly TurnRead[]>;
  /** Later lines of a file may change what earlier ones say. */
  readonly rewrites?: true;
}

/** The caller's environment, read on demand: usually the agent has reported where it stores. */
export type LazyEnv = () => Readonly<Record<string, string>>;

/** A conversation, as far as it is known. */
export interface WhichConversation {
  readonly id: string | null;
  /** The folder that it works in, for an agent that stores its conversations there. */
  readonly workspace?: string;
  /** Where the agent reported that it stores it. */
  readonly reported: string | null;
}

/**
 * What an adapter may ask about files. A folder or file that cannot be read is empty here; the supervisor remembers it,
 * and takes what was not found then for unknown.
 */
export interface RecordFiles {
  names(folder: string): readonly string[];
  /** Is there a readable file with content? */
  isThere(path: string): boolean;
}

/** Where one conversation is stored. */
export interface RecordSources {
  /** What the agent itself writes; null: nothing yet, or no longer. */
  readonly main: RecordSource | null;
  /** What its sub-agents write. */
  sides(): readonly RecordSource[];
  /** Where a person would look for it; null: not known. */
  place(): string | null;
}

/** A source of lines. One that cannot be read now is not empty: its content is unknown. */
export type RecordSource = FileSource | DatabaseSource;

/** A file of lines that only grows, unless it is rewritten. */
export interface FileSource {
  readonly is: 'file';
  readonly path: string;
}

/** Rows of a SQLite file, which the agent modifies in place. Opened read-only, for a short time. */
export interface DatabaseSource {
  readonly is: 'database';
  readonly path: string;
  /**
   * Returns `line`, a row as JSON, and `at`, a number that grows when a row changes, for all rows of `$id` with `at >=
   * $since`, lowest first. It uses an index.
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

/** Reads an agent's record of a conversation. Its state is bounded, however long the conversation gets. */
export interface RecordReader<S> extends LineReader<S, TranscriptView> {
  /** Drops messages that were counted. */
  settle(known: S, counted: Counted): S;
  /** The keys by which texts are compared: two texts are equal if they share one. */
  keysOf(text: string): readonly string[];
}

/** What a transcript, or the end of one, says. */
export interface TranscriptView {
  /** There is something to resume. */
  readonly isBegun: boolean;
  /** There were earlier prompts that are not included. */
  readonly isCut: boolean;
  /** The last prompts and their state, oldest first. */
  readonly prompts: readonly RecordedPrompt[];
  /** The last messages, oldest first: all that were not counted yet. */
  readonly messages: readonly CountedMessage[];
  /** The last texts that hooks passed to the agent itself, oldest first. */
  readonly contexts: readonly string[];
  /** The calls of the last turn without a recorded result. */
  readonly open: readonly OpenCall[];
  /** The limits of the account, as last recorded; missing: none are. */
  readonly windows?: readonly LimitWindow[];
}

/** A prompt in a transcript. */
export interface RecordedPrompt extends TurnEnd {
  /** The keys of its text. */
  readonly keys: readonly string[];
  /** The agent's own id of the turn. */
  readonly turnId: string | null;
  /** Its turn is open by the record, and may be over: the agent does not record the end of the last one. */
  readonly mayBeOver?: true;
  /** It was steered into a running turn and has that turn's id. */
  readonly isSteered: boolean;
  /** Wall time. */
  readonly atMs: number | null;
  /** The id that its sender chose, if the agent keeps it. */
  readonly given?: string;
}

/** A turn, for people and programs. */
export interface TurnRead {
  readonly prompt: string;
  /** When its prompt was recorded, wall time; missing: only the lines around it tell. */
  readonly atMs?: number;
  /** As Markdown; tool results are truncated unless `full`. */
  markdown(full: boolean): string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Are these texts equal for this record? */
export function isSameText({ keysOf }: Pick<AgentRecord<unknown>, 'keysOf'>, one: string, other: string): boolean {
  const keys = keysOf(other);
  return keysOf(one).some((key) => keys.includes(key));
}
