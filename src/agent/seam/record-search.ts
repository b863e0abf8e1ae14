import type { Line } from './json.ts';
import { readJsonLines } from './json.ts';
import type { LineReader } from './lines.ts';
import type { RecordSource } from './record.ts';

/** What is known of a conversation whose id is not: a run of ours began it. Times are wall times. */
export interface LostConversation {
  /** The folder that the agent works in, under each name that the agent may write down. */
  readonly workspaces: readonly string[];
  /** When its run began. */
  readonly sinceMs: number;
  /** When its run ended, or now: its run has ended. */
  readonly untilMs: number;
  /** What the prompts that were sent to it are compared by. */
  readonly keys: readonly string[];
}

/** Where to look for a lost conversation, and how to read what is there. */
export interface RecordSearch {
  /** Each is read from its beginning. */
  readonly sources: readonly RecordSource[];
  /** Gives the ids of the conversations in one source that fit. */
  readonly reader: LineReader<unknown, readonly string[]>;
}

/** The beginning of a conversation, as an agent writes it down. */
export interface ConversationStart {
  readonly id: string;
  readonly workspace: string;
  /** Null: not recorded. */
  readonly atMs: number | null;
}

/** What a line of a file says about the conversation that is in it. */
export interface StartLine {
  readonly start?: ConversationStart | null;
  /** The texts of prompts, as they are compared. */
  readonly keys?: readonly string[];
}

/** The clock of the agent is ours, but it may be set in between. */
export const CLOCK_SLACK_MS = 2_000;

/** Was this conversation begun by the lost run, as far as folder and time tell? */
export function isStartOf(lost: LostConversation, { workspace, atMs }: ConversationStart): boolean {
  if (!lost.workspaces.includes(workspace)) return false;
  if (atMs === null) return true;
  return atMs >= lost.sinceMs - CLOCK_SLACK_MS && atMs <= lost.untilMs + CLOCK_SLACK_MS;
}

interface Known {
  readonly start: ConversationStart | null;
  readonly isAsked: boolean;
}

/** Reads a file with one conversation. Of several beginnings the first counts: a copy repeats those of its origin. */
export function oneConversation(
  lost: LostConversation,
  read: (line: Line) => StartLine,
): LineReader<Known, readonly string[]> {
  const after = (known: Known, line: Line): Known => {
    const { start = null, keys = [] } = read(line);
    const isAsked = known.isAsked || keys.some((key) => lost.keys.includes(key));
    return { start: known.start ?? start, isAsked };
  };
  return {
    empty: { start: null, isAsked: false },
    read: (known, lines) => readJsonLines(lines).lines.reduce(after, known),
    view: ({ start, isAsked }) => (start !== null && isAsked && isStartOf(lost, start) ? [start.id] : []),
  };
}
