import type { Counted } from '../../core/usage.ts';
import type { HeardPrompt, Spoken } from './agent.ts';

/** Reads lines on from where it was. Pure: the same lines give the same view, in however many pieces they come. */
export interface LineReader<S, V> {
  /** What is known before the first line. */
  readonly empty: S;
  /** What is known after some more whole lines. */
  read(known: S, lines: string): S;
  view(known: S): V;
}

/** Reads what an agent writes down about its conversation. What it keeps is bounded, however long that gets. */
export interface AgentRecord<S> extends LineReader<S, TranscriptView> {
  /** Lets go of messages whose use was counted. */
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

/** What all of these lines say, read in one piece. */
export function readWhole<S, V>(reader: LineReader<S, V>, lines: string): V {
  return reader.view(reader.read(reader.empty, lines));
}
