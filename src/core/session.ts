// The durable thing a caller names and supervises: one command, or one agent conversation in one workspace.
// A session outlives its runs. A run is one operating-system process lifetime, numbered 1, 2, 3.
import type { Actor } from './actor.ts';
import type { GateState } from './approval.ts';
import type { Owner, Updates } from './ownership.ts';
import type { Prompt } from './prompt.ts';
import type { Remediation, SuspendedPhase } from './remediation.ts';
import type { Spec } from './spec.ts';
import type { EarlierConversation, Switch } from './switch.ts';
import type { Turn } from './turn.ts';
import type { Accounting } from './usage.ts';

export type { AddedRule, Answer, Approval, ApprovalId, Deferred, GateState, Postponed } from './approval.ts';
export type { LastTurn, OpenCall, Prompt } from './prompt.ts';
export type {
  Budget,
  ConversationChoice,
  ConversationSpec,
  Gate,
  Notify,
  OnLimit,
  PermissionMode,
  Policy,
  Shell,
  Size,
  Spec,
} from './spec.ts';
export type { EarlierConversation, Switch } from './switch.ts';
export type { Turn } from './turn.ts';
export type { Accounting, ManualResume as Word, Usage } from './usage.ts';

export type SessionId = string & { readonly brand: 'SessionId' };
export type PromptId = string & { readonly brand: 'PromptId' };

/** The agent's own id for its thread. Ours is SessionId. The two never mix. */
export type ConversationId = string & { readonly brand: 'ConversationId' };

export type TerminalKind = 'pipe' | 'pty' | 'tmux';

/** Why a turn failed, as far as it decides what helps. */
export type Trouble =
  /** Until this wall time; null: unknown. */
  | { readonly kind: 'limited'; readonly untilMs: number | null }
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'login' }
  | { readonly kind: 'billing' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'poisoned' }
  | { readonly kind: 'other' };

/** The status as a shell reports it: 0–255. */
export interface Exit {
  readonly status: number;
}

/** Why a run ended without a request. */
export type Fault =
  | { readonly kind: 'exited'; readonly exit: Exit }
  /** No process and no status. planned: a shutdown was announced, or the machine was shut down. */
  | { readonly kind: 'lost'; readonly reboot: boolean; readonly planned?: true }
  /** Its terminal is gone: a holder or a tmux server died. Or another process is needed; `why` says what for. */
  | { readonly kind: 'cut'; readonly why?: string }
  | { readonly kind: 'unstarted'; readonly why: string } // the launcher could not start the command
  /** No progress; the signs say what was observed. */
  | { readonly kind: 'stalled'; readonly silentMs: number; readonly signs?: readonly string[] }
  | { readonly kind: 'memory'; readonly bytes: number }
  /** A tool ran that had not been allowed. */
  | { readonly kind: 'breached'; readonly tool: string }
  | { readonly kind: 'deadline'; readonly afterMs: number }
  | { readonly kind: 'unready'; readonly waitedMs: number };

/** Why a session is over. */
export type Outcome =
  | { readonly kind: 'done'; readonly exit: Exit | null }
  | { readonly kind: 'stopped'; readonly by: Actor }
  /** The agent's last turn ended with an error of its own, and nothing was left to do. */
  | { readonly kind: 'failed'; readonly error: string }
  /** `why`: which limit was reached; missing: nothing could help. */
  | { readonly kind: 'abandoned'; readonly fault: Fault; readonly why?: string };

/** How a run starts: a new conversation, a known one, a copy of one, or one opened for a person. */
export type How = 'launch' | 'resume' | 'fork' | 'visit';

/** What a person is needed for. */
export interface Hold {
  /** The dialog that is open, in the agent's own word: trust, login, … */
  readonly kind: string;
  /**
   * What the dialog is about, where that decides what to do. tool: whether a call may be made; an interrupt says no
   * there and ends the turn. limit: what to do about a usage limit; a new run does not ask.
   */
  readonly about?: 'tool' | 'limit';
  /** What to do about it. */
  readonly text: string;
  /** It ends with `outlast resume`, not when the screen changes. */
  readonly needsResume?: boolean;
}

/** Who types. While a person does, prompts wait. */
export interface Control {
  readonly by: Actor;
  /** attach: until they detach. handoff: until it is handed back explicitly. */
  readonly how: 'attach' | 'handoff';
}

/** The state of a session. One union: a session cannot be working and recovering at once. Times are steady. */
export type Phase =
  | { readonly at: 'queued' }
  | { readonly at: 'opening'; readonly run: number; readonly boot: string } // intent written, no process seen yet
  | { readonly at: 'starting'; readonly run: number; readonly sinceMs: number } // alive, but the agent is not ready
  /** Waiting for a prompt. dormant: its process was idle for too long and is ended; the next prompt starts another. */
  | { readonly at: 'idle'; readonly run: number; readonly sinceMs: number; readonly dormant?: true }
  | { readonly at: 'working'; readonly run: number; readonly sinceMs: number }
  | { readonly at: 'blocked'; readonly run: number; readonly sinceMs: number } // an approval is open
  /** A person is needed. `suspended`: the phase to return to, if its journal was restored. */
  | {
      readonly at: 'held';
      readonly run: number;
      readonly why: Hold;
      readonly sinceMs: number;
      readonly suspended?: Phase;
    }
  /** A usage limit; `untilMs` is wall time. Not a fault. */
  | { readonly at: 'limited'; readonly run: number; readonly untilMs: number; readonly sinceMs: number }
  | { readonly at: 'visited'; readonly run: number; readonly sinceMs: number } // a person is in the agent's own screen
  | { readonly at: 'recovering'; readonly run: number; readonly fault: Fault; readonly retryAtMs: number }
  | { readonly at: 'closing'; readonly run: number; readonly outcome: Outcome; readonly graceMs: number }
  | { readonly at: 'ended'; readonly outcome: Outcome };

/** The last run as far as the journal knows it. */
export interface Run {
  readonly number: number;
  /** The boot in which its intent was written. */
  readonly boot: string;
  readonly how: How;
  /** It gets no prompt: it resumes a deferred call. */
  readonly silent: boolean;
  /** The agent's own id of the last turn recorded before it. */
  readonly upTo?: string;
  /** The session was switched since: what this run left cannot be read as the new agent's. */
  readonly isOfEarlierAgent?: true;
  readonly terminal: TerminalKind;
  /** The agent has reported. */
  readonly reported: boolean;
  /** Why the agent said that it exits; missing: it did not. */
  readonly lastWord?: string;
  /** When a caller last typed into its terminal. Steady. */
  readonly typedAtMs?: number;
  readonly pid: number | null;
  readonly openedAtMs: number | null;
  readonly exit: Exit | null;
  readonly outputBytes: number | null;
  /** Output may be missing: its sink died, or it did not arrive in time. */
  readonly incomplete: boolean;
  readonly inputClosed: boolean;
  /** Its terminal is gone; the command got SIGHUP, as from any closing terminal. */
  readonly cut: boolean;
}

/** The agent's own conversation, as far as it is known. */
export interface Conversation {
  /** As the agent last named it; null before it did. */
  readonly id: ConversationId | null;
  /** Where the agent stores it, as last reported. */
  readonly transcript: string | null;
  /** Is any of it known to be on disk? given-up: it was, and a person allowed a new one instead. */
  readonly written: 'no' | 'yes' | 'given-up';
  /** Those with other agents that this one continues, oldest first; missing: none. */
  readonly earlier?: readonly EarlierConversation[];
  /** The agent with which the session goes on as soon as no process of this one is left; missing: this one. */
  readonly switchTo?: Switch;
  /** The end of the usage limit for which it is left, wall time; missing: there is none. */
  readonly limitedUntilMs?: number;
  /** When that limit was met, steady time. */
  readonly limitedSinceMs?: number;
  /** The end of a usage limit at which no other agent could take over, wall time; missing: there was none. */
  readonly unswitchedUntilMs?: number;
  /** Why no process may open it before this wall time, for the next run; missing: it does not wait for that. */
  readonly delay?: Delay;
  /** What the next prompt begins with: the agent knows nothing of what happened before; missing: it does. */
  readonly handover?: string;
}

/** A conversation that must not be opened before this wall time. */
export interface Delay {
  readonly untilMs: number;
  /** In words for people. */
  readonly why: string;
}

/** Who is at the screen. */
export interface Attendance {
  readonly control: Control | null;
  /** A person wants to use the agent's own screen. */
  readonly visitWanted: boolean;
  readonly suspendedPhase: SuspendedPhase | null;
}

/** How often it failed, and what was done about it. */
export interface Recovery {
  readonly faults: number; // in a row; a finished turn resets it to 0
  /** When it was resumed after a fault of its own, newest last. */
  readonly resumedAtMs: readonly number[];
  /** How often in all. */
  readonly resumes: number;
  readonly remediation: Remediation;
}

/** The fold of a session's events. Nothing here is stored twice. */
export interface Session {
  readonly id: SessionId;
  readonly seq: number;
  /** When it was created, by both clocks. */
  readonly created: { readonly wallMs: number; readonly steadyMs: number };
  readonly spec: Spec;
  readonly phase: Phase;
  readonly run: Run | null;
  readonly background: boolean;
  readonly removed: boolean;
  /** Its journal was rebuilt or restored, and it was not resumed since: it starts nothing by itself. */
  readonly restored: boolean;
  readonly keepOpen: boolean;
  /** The sessions it depends on have answered. */
  readonly followed: boolean;
  readonly conversation: Conversation;
  readonly prompts: readonly Prompt[]; // not yet answered, oldest first
  readonly turn: Turn;
  readonly gate: GateState;
  readonly attendance: Attendance;
  /** The session that started it; null: a person or program did. */
  readonly owner: Owner | null;
  readonly updates: Updates;
  readonly recovery: Recovery;
  readonly accounting: Accounting;
}

/** The number of the session's last run. Reports of earlier runs are ignored. */
export function runOf(session: Session): number {
  return session.run?.number ?? 0;
}
