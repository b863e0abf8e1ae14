import type { Trouble } from '../../core/session.ts';
import type { TokenKinds } from '../../core/usage.ts';

// The protocol between echo and its client: JSON, the same over every wire and, line by line, in the output of a
// process of one turn.

/** A message to echo. Each one with an id is answered with a `Reply`. */
export type Request =
  /** Begins or continues a conversation. If repeated, it only returns the state. */
  | { readonly do: 'open'; readonly id: string; readonly conversation: string | null; readonly ask: boolean }
  /** `id` is also the id of the prompt. steer: into the running turn. */
  | { readonly do: 'prompt'; readonly id: string; readonly text: string; readonly steer: boolean }
  | {
      readonly do: 'answer';
      readonly id: string;
      readonly question: string;
      readonly allow: boolean;
      readonly why: string;
      /** Replaces the input of the tool. */
      readonly input?: unknown;
    }
  | { readonly do: 'interrupt' | 'close'; readonly id: string }
  /** Answers a question of echo that is not about a tool call. */
  | { readonly do: 'reply'; readonly id: string; readonly to: string; readonly error: string };

/** A notification of echo. `n` counts them, so that a state can name the last one that it includes. */
export type Note = { readonly n: number } & Saying;

/** One event. */
export type Saying =
  | { readonly on: 'opened'; readonly conversation: string; readonly transcript: string }
  | { readonly on: 'prompted'; readonly turn: string; readonly prompt: string; readonly text: string }
  | ({ readonly on: 'called'; readonly turn: string } & ToolCall)
  | { readonly on: 'returned'; readonly call: string; readonly tool: string; readonly error: string | null }
  | ({ readonly on: 'asked'; readonly turn: string; readonly question: string } & ToolCall)
  | { readonly on: 'answered'; readonly question: string; readonly allow: boolean }
  /** A question that a client cannot know. */
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
  /** Missing: an older version does not tell them apart. */
  readonly byKind?: TokenKinds | undefined;
}

/** The answer to a request. */
export interface Reply {
  readonly re: string;
  /** Why it was refused; absent: it was not. */
  readonly error?: string;
  /** To `open`: the current state. */
  readonly standing?: Standing;
}

/** The state of echo as of note `n`. */
export interface Standing {
  readonly n: number;
  readonly conversation: string;
  readonly transcript: string;
  /** The last prompts of this process. */
  readonly prompts: readonly { readonly prompt: string; readonly turn: string; readonly text: string }[];
  /** The last turns that ended in this process. */
  readonly ended: readonly Stopped[];
  /** The running turn. */
  readonly turn: string | null;
  readonly questions: readonly ({ readonly question: string; readonly turn: string } & ToolCall)[];
  /** Its own questions without an answer. */
  readonly wonders: readonly string[];
}

/** A line of the file in which echo records a conversation. */
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
