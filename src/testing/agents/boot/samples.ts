import { join } from 'node:path';
import type { Conversations, Verdict } from '../../../agent/seam/conversations.ts';
import type { Fields } from '../../../agent/seam/json.ts';

/** The recorded conversations of an agent, and what a boot makes of them. */
export interface BootSamples {
  readonly conversations: Conversations;
  /** The folder with a folder for each of them, and the file in it. */
  readonly folder: string;
  readonly file: string;
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /**
   * How the conversation stands after this line; null: as before. Written down without the adapter's own reader, so
   * that the two can contradict each other.
   */
  standing(line: Fields): Standing | null;
  /** One that was answered: its last turn is what a resume adds. */
  readonly answered: string;
  /** A line of that turn as a later turn would have it, where ids are not used twice. */
  later?(line: string): string;
  /** The lines are rows of a database. */
  readonly rows?: {
    /** What a boot reads of what was recorded. */
    asRead(recorded: string): string;
    /** The key by which they are sorted, whenever they were written. */
    keyOf(line: Fields): string;
  };
}

/** A turn is open, or it has an end. within: the line is of a turn, whichever that is. unclear: both may be right. */
export type Standing = 'open' | 'ended' | 'within' | 'unclear';

/** The folder with the sources of all agents, and their cases. */
export const AGENTS = join(import.meta.dirname, '../../../agent');
