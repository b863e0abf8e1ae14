import type { InTurnUpdateSnapshot } from './in-turn-update.ts';
import type { Exit, Hold, PromptId, Trouble } from './session.ts';
import type { Used } from './usage.ts';

/** What the supervisor sees when it looks. Always about the session's current run. */
export interface Snapshot {
  readonly terminal: TerminalSnapshot;
  /** Processes of the run besides the launcher. Only counted when it matters: while closing or recovering. */
  readonly strayProcesses: number;
  readonly screen: ScreenSnapshot;
  /** People who could type into the terminal right now. */
  readonly viewers: number;
  /** What an agent says that is spoken to in messages; missing: it is not, or there is no connection. */
  readonly messages?: MessageSnapshot;
  readonly transcript: TranscriptSnapshot;
  /** The answer to a run of one turn is known: has its process said its last word too? Missing: it is not known. */
  readonly isSaid?: boolean;
  readonly signs: Signs;
  /** Who else has its conversation open, in words; missing: nobody has, or it was not asked. */
  readonly holder?: string;
  /** What the end of an agent's run means; missing: it has not ended. */
  readonly verdict?: Verdict;
  /** A tool that was used without anybody's yes, where somebody's yes is needed. */
  readonly breach: Breach | null;
  /** What was used up and is not counted yet, once a turn is over or the session ends, as far as it is written down. */
  readonly used: Used | null;
  /** The time on the wall. */
  readonly wallMs: number;
  readonly account: AccountSnapshot;
  /** What makes the agent shorten its conversation; null: nothing does. */
  readonly compact: string | null;
  /** The agent can go on with a copy of its conversation. */
  readonly fork: boolean;
  /** Resumes after faults on this host lately, of all sessions. */
  readonly hostResumes: number;
  /** The sessions it waits for: still busy, all answered (with what), or one of them never will. */
  readonly after: AfterSnapshot;
  /** Has the intent that `intentOf` names been tried? 'unknown' when an earlier supervisor wrote it. */
  readonly tried: 'no' | 'yes' | 'unknown';
  /** The boot we are in. An intent of an earlier boot may have been carried out: its traces may be gone. */
  readonly boot: string;
  /** The supervisor before us was stopped for a planned restart: what is gone now went with that. */
  readonly planned: boolean;
  /** May one more run be opened on this host? */
  readonly slot: boolean;
  /** The workspace of an agent is not there, or cannot be entered. Only looked at while it does not run. */
  readonly workspaceGone?: boolean;
  /** Sessions it owns and that will wake it are not over. */
  readonly expects?: boolean;
  /** Where the news are that were laid out for it; missing: there are none. */
  readonly inTurnUpdate?: InTurnUpdateSnapshot;
  /** Why the tree it belongs to may use up nothing more; null or missing: it may. */
  readonly overdrawn?: string | null;
}

/**
 * What the agent shows. ready: it takes a prompt, the box is empty. holding: the box holds our text. stale: it holds a
 * text of ours that was taken back. draft: it holds somebody else's. dialog: it asks a person.
 */
export type ScreenSnapshot =
  | { readonly is: 'ready' | 'holding' | 'stale' | 'draft' | 'unknown' }
  /** draft: its box holds something all the same. tokens: of the reply so far. */
  | { readonly is: 'busy'; readonly draft?: boolean; readonly tokens?: number }
  | { readonly is: 'dialog'; readonly why: Hold };

/** What is known of an agent by its messages. Whether it waits or works stands in for the screen. */
export interface MessageSnapshot {
  /**
   * What became of the intent that `intentOf` names. done: the agent has it, or will. not-done: it cannot have it.
   * unknown: neither is proven.
   */
  readonly proof: 'done' | 'not-done' | 'unknown';
  /** Its questions that nothing was answered to. */
  readonly unanswered: readonly string[];
}

/** What the agent's own file says of the turn that our last sending began. */
export interface TranscriptSnapshot {
  /** There is a conversation to resume. */
  readonly exists: boolean;
  /** Where it was looked for, when it is not there; missing: nobody knows where that would be. */
  readonly place?: string;
  /** The tokens of the sendings it heard. */
  readonly received: readonly string[];
  /** deferred: it was put off in the middle, until somebody decides about a call. */
  readonly turn: 'open' | 'closed' | 'failed' | 'interrupted' | 'deferred';
  /** The reply, or the words of the error. */
  readonly reply: string;
  /** Why it failed. */
  readonly trouble?: Trouble;
  /** The agent's own id of the last turn that is written down. */
  readonly lastMark?: string;
  /** Somebody else has gone on with it since the current run read it. */
  readonly isAhead?: boolean;
  /** It cannot be read: what it does not show may be in it all the same. */
  readonly isUnread?: boolean;
}

/** What the end of a run means. left: a person ended it, and there is evidence of that person. */
export type Verdict = 'left' | 'crashed' | 'finished' | 'unknown';

/** What got past the gate, and how we know. */
export interface Breach {
  readonly run: number;
  readonly call: string | null;
  readonly tool: string;
  readonly evidence: string;
}

/** What tells a turn that takes long from one that hangs. */
export interface Signs {
  /** Since it last got on: a hook, a line in its transcript or in its stream, a token of its reply. */
  readonly progressMs: number;
  /** Since anything moved at all: a byte of its stream, a spinner on its screen. Missing: nobody knows. */
  readonly movedMs?: number;
  /** What it started uses the processor. */
  readonly isComputing: boolean;
  /** For people. */
  readonly words: readonly string[];
}

/** What other sessions of the same account have met. */
export interface AccountSnapshot {
  /** Limited until then, on the wall. */
  readonly limitedUntilMs: number | null;
  /** Another one cannot log in, or tries to find out right now. */
  readonly login: 'fine' | 'failed' | 'probing';
  /** Of those that cannot log in, this one finds out for all. */
  readonly leads: boolean;
  /** When one of them last got an answer. */
  readonly answeredAtMs: number | null;
}

export type AfterSnapshot =
  | { readonly is: 'waiting' }
  | { readonly is: 'met'; readonly texts: readonly { readonly prompt: PromptId; readonly text: string }[] }
  | { readonly is: 'failed'; readonly why: string };

export type TerminalSnapshot =
  | { readonly is: 'absent' } // never opened
  | {
      readonly is: 'alive';
      /** The command's own; 0 while only its launcher is there. */
      readonly pid: number;
      /** For how long it has printed nothing. */
      readonly quietMs: number;
      /** Changes with everything that it prints; missing: the size of its output does. */
      readonly printed?: string;
      readonly outputBytes: number;
      /**
       * ok: bytes arrive in the output file. broken: its sink died and must be mended. cut: the terminal is gone, the
       * process lives.
       */
      readonly sink: 'ok' | 'broken' | 'cut';
    }
  | {
      readonly is: 'dead';
      readonly exit: Exit;
      /** The signal that ended it, as `TERM`; missing: it ended by itself. */
      readonly signal?: string;
      readonly outputBytes: number;
      /** All output is in the file. If it is not soon after the exit, some may be missing. */
      readonly drained: boolean;
      readonly exitAgeMs: number;
      /** Why the launcher could not start the command. */
      readonly failed: string | null;
      /** The kernel killed it because it used more memory than it may. */
      readonly oom?: boolean;
      /** Its terminal is gone: the holder, the tmux server or the tmux session died before it. */
      readonly terminalGone?: boolean;
    }
  | { readonly is: 'lost'; readonly outputBytes: number }; // claimed, no process, no exit
