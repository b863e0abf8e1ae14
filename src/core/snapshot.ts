import type { InTurnUpdateSnapshot } from './in-turn-update.ts';
import type { CompactWay } from './remediation.ts';
import type { ConversationId, Delay, Exit, Hold, OpenCall, PromptId, Trouble } from './session.ts';
import type { Used } from './usage.ts';

/** What the supervisor observes. Always about the session's current run. */
export interface Snapshot {
  readonly terminal: TerminalSnapshot;
  /** Processes of the run besides the launcher. Counted only when it matters: while closing or recovering. */
  readonly strayProcesses: number;
  readonly screen: ScreenSnapshot;
  /** People who could type into the terminal right now. */
  readonly viewers: number;
  /** What an agent driven by messages reports; missing: it is not one, or there is no connection. */
  readonly messages?: MessageSnapshot;
  readonly transcript: TranscriptSnapshot;
  /** The answer of a run of one turn is known: has its process printed everything? Missing: not known. */
  readonly isSaid?: boolean;
  readonly signs: Signs;
  /** Who else has its conversation open, in words; missing: no process, or not checked. */
  readonly holder?: string;
  /** What the end of an agent's run means; missing: it has not ended. */
  readonly verdict?: Verdict;
  /** A tool that ran without approval, although approval is required. */
  readonly breach: Breach | null;
  /** Usage that is not counted yet, once a turn is over or the session ends, as far as it is recorded. */
  readonly used: Used | null;
  /** Wall time. */
  readonly wallMs: number;
  readonly account: AccountSnapshot;
  /** How the agent compacts its conversation; null: it does not. */
  readonly compact: CompactWay | null;
  /** The agent can continue with a copy of its conversation. */
  readonly fork: boolean;
  /** Recent resumes after faults on this host, of all sessions. */
  readonly hostResumes: number;
  /** The sessions it depends on: still busy, all answered (with their replies), or one of them never will. */
  readonly after: AfterSnapshot;
  /** Has the intent that `intentOf` names been tried? 'unknown': an earlier supervisor wrote it. */
  readonly tried: 'no' | 'yes' | 'unknown';
  /** The current boot. An intent of an earlier boot may have been carried out and its traces lost. */
  readonly boot: string;
  /** The supervisor before us was stopped for a planned restart: processes that are gone ended with it. */
  readonly planned: boolean;
  /** May one more run be opened on this host? */
  readonly slot: boolean;
  /** Why its agent is not known now, in words: nothing but its process was looked at. Missing: it is known. */
  readonly unknownAgent?: string;
  /** The workspace of an agent is missing or cannot be entered. Checked only while it does not run. */
  readonly workspaceGone?: boolean;
  /** Sessions it owns, and whose updates it expects, are not over. */
  readonly expects?: boolean;
  /** Where its staged updates are; missing: there are none. */
  readonly inTurnUpdate?: InTurnUpdateSnapshot;
  /** Why the tree it belongs to may not use more; null or missing: it may. */
  readonly overdrawn?: string | null;
}

/**
 * What the agent shows. ready: it accepts a prompt and the box is empty. holding: the box has our text. stale: it has a
 * withdrawn text of ours. draft: it has someone else's text. dialog: it asks a person.
 */
export type ScreenSnapshot =
  | { readonly is: 'ready' | 'holding' | 'stale' | 'draft' | 'unknown' }
  /** draft: its box has text anyway. tokens: of the reply so far. */
  | { readonly is: 'busy'; readonly draft?: boolean; readonly tokens?: number }
  | { readonly is: 'dialog'; readonly why: Hold };

/** What an agent driven by messages has said. Whether it waits or works replaces the screen. */
export interface MessageSnapshot {
  /**
   * What became of the intent that `intentOf` names. done: the agent has it, or will. not-done: it cannot have it.
   * unknown: neither is proven.
   */
  readonly proof: 'done' | 'not-done' | 'unknown';
  /** Its questions without an answer. */
  readonly unanswered: readonly string[];
}

/** What the agent's own record says about the turn that our last try started. */
export interface TranscriptSnapshot {
  /** There is a conversation to resume. */
  readonly exists: boolean;
  /** Where it was looked for, if it is missing; absent: the place is not known. */
  readonly place?: string;
  /** The tokens of the prompts it received. */
  readonly received: readonly string[];
  /** The agent's own ids of the turns that they began, by token, if it reports them nowhere else. */
  readonly turnIds?: Readonly<Record<string, string>>;
  /** deferred: interrupted by a call that waits for a decision. */
  readonly turn: 'open' | 'closed' | 'failed' | 'interrupted' | 'deferred';
  /** The reply, or the error message. */
  readonly reply: string;
  /** Why it failed. */
  readonly trouble?: Trouble;
  /** The agent's own id of the last recorded turn. */
  readonly lastMark?: string;
  /** The calls of its last turn that have no result; missing: none. */
  readonly open?: readonly OpenCall[];
  /** Another process has continued it since the current run read it. */
  readonly isAhead?: boolean;
  /** No process of its drive may open it before this wall time; missing: it may be opened at any time. */
  readonly delay?: Delay;
  /** It cannot be read: it may contain more than this shows. */
  readonly isUnread?: boolean;
  /** What a search for the conversation of a run that has ended found; missing: there was no need for one. */
  readonly search?: ConversationSearch;
}

/**
 * Which conversation a run began that ended before its agent said so. found: exactly one fits. several: more than one
 * does, or another session may have begun it. none: the prompt reached no conversation. unknown: it cannot be told now.
 */
export type ConversationSearch =
  | { readonly is: 'found'; readonly conversation: ConversationId; readonly transcript: string | null }
  | { readonly is: 'several' | 'unknown'; readonly why: string }
  | { readonly is: 'none' };

/** What the end of a run means. left: a person ended it, and there is evidence of that person. */
export type Verdict = 'left' | 'crashed' | 'finished' | 'unknown';

/** What bypassed the gate, and the evidence. */
export interface Breach {
  readonly run: number;
  readonly call: string | null;
  readonly tool: string;
  readonly evidence: string;
}

/** Distinguishes a long turn from one that hangs. */
export interface Signs {
  /** Time since the last progress: a hook, a line in its transcript or stream, a token of its reply. */
  readonly progressMs: number;
  /** Time since any activity: a byte of its stream, a spinner on its screen. Missing: not known. */
  readonly movedMs?: number;
  /** Its child processes use the processor. */
  readonly isComputing: boolean;
  /** The tools at work by its record, of an agent that reports calls when they are over. */
  readonly recordedCalls?: readonly string[];
  /** For people. */
  readonly words: readonly string[];
}

/** What other sessions of the same account have met. */
export interface AccountSnapshot {
  /** Limited until this wall time. */
  readonly limitedUntilMs: number | null;
  /** Another one cannot log in, or is trying to right now. */
  readonly login: 'fine' | 'failed' | 'probing';
  /** Of the sessions that cannot log in, this one retries for all. */
  readonly leads: boolean;
  /** When one of them last got a reply. */
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
      /** The command's own; 0 while only its launcher runs. */
      readonly pid: number;
      /** How long it has been silent. */
      readonly quietMs: number;
      /** Changes with everything it prints; missing: the size of its output does. */
      readonly printed?: string;
      readonly outputBytes: number;
      /**
       * ok: bytes arrive in the output file. broken: its sink died and must be restarted. cut: the terminal is gone,
       * the process lives.
       */
      readonly sink: 'ok' | 'broken' | 'cut';
    }
  | {
      readonly is: 'dead';
      readonly exit: Exit;
      /** The signal that ended it, as `TERM`; missing: it exited by itself. */
      readonly signal?: string;
      readonly outputBytes: number;
      /** All output is in the file. If that is not so soon after the exit, some may be missing. */
      readonly drained: boolean;
      readonly exitAgeMs: number;
      /** Why the launcher could not start the command. */
      readonly failed: string | null;
      /** The kernel killed it because it exceeded its memory limit. */
      readonly oom?: boolean;
      /** Its terminal died first: the holder, the tmux server or the tmux session. */
      readonly terminalGone?: boolean;
    }
  | { readonly is: 'lost'; readonly outputBytes: number }; // claimed, no process, no exit
