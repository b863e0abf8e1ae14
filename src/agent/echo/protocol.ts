import type { Trouble } from '../../core/session.ts';

// What echo and whoever drives it say to each other: JSON, the same over every wire and, line by line, in the output of
// a process of one turn.

/** A message to echo. It answers every one that has an id, with `Reply`. */
export type Request =
  /** Begins or goes on with a conversation. Said again, it only answers. */
  | { readonly do: 'open'; readonly id: string; readonly conversation: string | null; readonly ask: boolean }
  /** `id` is also the name of the prompt. steer: into the turn that is running. */
  | { readonly do: 'prompt'; readonly id: string; readonly text: string; readonly steer: boolean }
  | {
      readonly do: 'answer';
      readonly id: string;
      readonly question: string;
      readonly allow: boolean;
      readonly why: string;
      /** What the tool is given instead. */
      readonly input?: unknown;
    }
  | { readonly do: 'interrupt' | 'close'; readonly id: string }
  /** To a question of echo's own that is no tool call. */
  | { readonly do: 'reply'; readonly id: string; readonly to: string; readonly error: string };

/** What echo says by itself. `n` counts what it has said: how things stood at a number is known. */
export type Note = { readonly n: number } & Saying;

/** One thing that happened. */
export type Saying =
  | { readonly on: 'opened'; readonly conversation: string; readonly transcript: string }
  | { readonly on: 'prompted'; readonly turn: string; readonly prompt: string; readonly text: string }
  | ({ readonly on: 'called'; readonly turn: string } & ToolCall)
  | { readonly on: 'returned'; readonly call: string; readonly tool: string; readonly error: string | null }
  | ({ readonly on: 'asked'; readonly turn: string; readonly question: string } & ToolCall)
  | { readonly on: 'answered'; readonly question: string; readonly allow: boolean }
  /** A question that whoever drives echo cannot know. */
  | { readonly on: 'wonders'; readonly id: string; readonly about: string }
  | ({ readonly on: 'stopped' } & Stopped);

/** A call of one of its tools. */
export interface ToolCall {
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
}

/** The end of a turn. */
export interface Stopped {
  readonly turn: string;
  readonly reply: string;
  readonly interrupted: boolean;
  readonly trouble: Trouble | null;
  readonly tokens: number;
}

/** What comes back for a request. */
export interface Reply {
  readonly re: string;
  /** Why it was refused; missing: it was not. */
  readonly error?: string;
  /** To `open`: how things stand. */
  readonly standing?: Standing;
}

/** How things stand in echo, as of the note `n`. */
export interface Standing {
  readonly n: number;
  readonly conversation: string;
  readonly transcript: string;
  /** The prompts of this process, the last of them. */
  readonly prompts: readonly { readonly prompt: string; readonly turn: string; readonly text: string }[];
  /** The turns that ended in this process, the last of them. */
  readonly ended: readonly Stopped[];
  /** The turn that is running. */
  readonly turn: string | null;
  readonly questions: readonly ({ readonly question: string; readonly turn: string } & ToolCall)[];
  /** Its own questions that nobody has answered. */
  readonly wonders: readonly string[];
}

/** A line of the file in which echo writes a conversation down. */
export type Entry =
  | { readonly type: 'conversation'; readonly id: string; readonly cwd: string; readonly atMs: number }
  | {
      readonly type: 'prompt';
      readonly prompt: string;
      readonly turn: string;
      readonly text: string;
      readonly steered: boolean;
      readonly atMs: number;
    }
  | ({ readonly type: 'call'; readonly turn: string; readonly atMs: number } & ToolCall)
  | {
      readonly type: 'result';
      readonly call: string;
      readonly error: string | null;
      readonly text: string;
      readonly atMs: number;
    }
  | ({ readonly type: 'end'; readonly atMs: number } & Stopped);
