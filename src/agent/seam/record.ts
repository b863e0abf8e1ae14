import type { Counted } from '../../core/usage.ts';
import type { LineReader } from './lines.ts';
import type { TurnEnd } from './turns.ts';
import type { Spoken } from './usage.ts';

/** Where an agent writes down its conversations, and how they are read. */
export interface AgentRecord<S> extends RecordReader<S> {
  /** The folder below which, one level deep, transcripts lie under their conversation's id. */
  transcripts(env: Readonly<Record<string, string>>): string;
  /** The folder in which its sub-agents write down theirs, by the path of its own. */
  sideTranscripts(path: string): string;
  /** Reads a transcript for people, turn by turn. */
  readonly turns: LineReader<unknown, readonly TurnRead[]>;
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
  readonly prompts: readonly HeardPrompt[];
  /** The last messages, oldest first: all whose use was not counted yet. */
  readonly spoken: readonly Spoken[];
  /** The last texts that hooks told the agent itself, oldest first. */
  readonly contexts: readonly string[];
}

/** A prompt in a transcript. */
export interface HeardPrompt extends TurnEnd {
  /** What its text is compared by. */
  readonly keys: readonly string[];
  /** The agent's own id of the turn. */
  readonly mark: string | null;
  /** It joined a turn that was running, and comes under that turn's id. */
  readonly isSteered: boolean;
  /** Wall time. */
  readonly atMs: number | null;
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
