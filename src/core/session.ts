// The durable thing a caller names and supervises: one command, or one agent conversation in one workspace.
// A session outlives its runs. A run is one operating-system process lifetime, numbered 1, 2, 3.
import type { Actor } from './actor.ts';
import type { GateState } from './approval.ts';
import type { Ownership } from './ownership.ts';
import type { Prompt } from './prompt.ts';
import type { Remediation, SuspendedPhase } from './remediation.ts';
import type { Spec } from './spec.ts';
import type { Turn } from './turn.ts';
import type { Accounting } from './usage.ts';

export type { AddedRule, Answer, Approval, ApprovalId, Deferred, GateState } from './approval.ts';
export type { LastTurn, OpenCall, Prompt } from './prompt.ts';
export type {
  Budget,
  ConversationChoice,
  ConversationSpec,
  Gate,
  Notify,
  PermissionMode,
  Policy,
  Size,
  Spec,
} from './spec.ts';
export type { Turn } from './turn.ts';
export type { Accounting, ManualResume as Word, Usage } from './usage.ts';

export type SessionId = string & { readonly brand: 'SessionId' };
export type PromptId = string & { readonly brand: 'PromptId' };

/** The agent's own id for its thread. Ours is SessionId. The two never mix. */
export type ConversationId = string & { readonly brand: 'ConversationId' };

export type TerminalKind = 'pipe' | 'pty' | 'tmux';

/** Why a turn failed, as far as it decides what helps. */
export type Trouble =
  /** Until a time on the wall; null: nobody said. */
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

/** Why a run ended when nobody asked it to. */
export type Fault =
  | { readonly kind: 'exited'; readonly exit: Exit }
  /** No process and no status. planned: somebody said that all would be ended, or the machine was shut down. */
  | { readonly kind: 'lost'; readonly reboot: boolean; readonly planned?: true }
  /** Its terminal is gone: a holder or a tmux server died. Or we want another process, and say why. */
  | { readonly kind: 'cut'; readonly why?: string }
  | { readonly kind: 'unstarted'; readonly why: string } // the launcher could not start the command
  /** It gets on with nothing; the signs say what was seen. */
  | { readonly kind: 'stalled'; readonly silentMs: number; readonly signs?: readonly string[] }
  | { readonly kind: 'memory'; readonly bytes: number }
  /** A tool was used that nobody had allowed. */
  | { readonly kind: 'breached'; readonly tool: string }
  | { readonly kind: 'deadline'; readonly afterMs: number }
  | { readonly kind: 'unready'; readonly waitedMs: number };

/** Why a session is over. */
export type Outcome =
  | { readonly kind: 'done'; readonly exit: Exit | null }
  | { readonly kind: 'stopped'; readonly by: Actor }
  /** The agent's last turn ended with an error of its own, and nothing was left to do. */
  | { readonly kind: 'failed'; readonly error: string }
  /** `why`: which bound was reached; missing: nothing could help. */
  | { readonly kind: 'abandoned'; readonly fault: Fault; readonly why?: string };

/** How a run begins: a new conversation, a known one, a copy of one, or one that is shown to a person. */
export type How = 'launch' | 'resume' | 'fork' | 'visit';

/** What a person is needed for. */
export interface Hold {
  /** The dialog that is open, in a word of its agent: trust, login, … */
  readonly kind: string;
  /**
   * What that dialog is about, where it decides what we do. tool: whether a call may be made; an interrupt says no
   * there and ends the turn. limit: what to do about a usage limit; a new run is not asked.
   */
  readonly about?: 'tool' | 'limit';
  /** What to do about it. */
  readonly text: string;
  /** It ends with somebody's word, not with what the screen shows. */
  readonly needsResume?: boolean;
}

/** Who types. While it is a person, prompts wait. */
export interface Control {
  readonly by: Actor;
  /** attach: until they leave. handoff: until it is given back in so many words. */
  readonly how: 'attach' | 'handoff';
}

/** Where a session is. One union: a session cannot be working and recovering at once. Times are steady. */
export type Phase =
  | { readonly at: 'queued' }
  | { readonly at: 'opening'; readonly run: number; readonly boot: string } // intended, no process seen yet
  | { readonly at: 'starting'; readonly run: number; readonly sinceMs: number } // alive, the agent is not ready
  | { readonly at: 'idle'; readonly run: number; readonly sinceMs: number } // waiting for a prompt
  | { readonly at: 'working'; readonly run: number; readonly sinceMs: number }
  | { readonly at: 'blocked'; readonly run: number; readonly sinceMs: number } // an approval is open
  /** A person is needed. `suspended`: where it goes on, when its journal was restored. */
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
  /** The boot it was intended in. */
  readonly boot: string;
  readonly how: How;
  /** It is told nothing: it goes on with a call that was put off. */
  readonly silent: boolean;
  /** The agent's own id of the last turn that was written down before it. */
  readonly upTo?: string;
  readonly terminal: TerminalKind;
  /** The agent was heard of. */
  readonly reported: boolean;
  /** Why the agent said that it leaves; missing: it did not. */
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
  /** Its terminal is gone; the command was told so, as a closing terminal tells it. */
  readonly cut: boolean;
}

/** The agent's own thread, as far as it is known. */
export interface Conversation {
  /** As the agent last named it; null before it said so. */
  readonly id: ConversationId | null;
  /** Where the agent writes it down, as the agent last said. */
  readonly transcript: string | null;
  /** Is anything of it known to be written down? given-up: it was, and somebody said that another one may be begun. */
  readonly written: 'no' | 'yes' | 'given-up';
}

/** Who is at the screen. */
export interface Attendance {
  readonly control: Control | null;
  /** A person wants into the agent's own screen. */
  readonly visitWanted: boolean;
  readonly suspendedPhase: SuspendedPhase | null;
}

/** How often it broke, and what was done about it. */
export interface Recovery {
  readonly faults: number; // in a row; a finished turn sets it back to 0
  /** When it was resumed after a fault of its own, newest last. */
  readonly resumedAtMs: readonly number[];
  /** How often in all. */
  readonly resumes: number;
  readonly remediation: Remediation;
}

/** The fold of a session's events. Nothing here is stored twice. */
export interface Session extends Ownership {
  readonly id: SessionId;
  readonly seq: number;
  readonly createdAtMs: number; // wall
  readonly createdSteadyMs: number;
  readonly spec: Spec;
  readonly phase: Phase;
  readonly run: Run | null;
  readonly background: boolean;
  readonly removed: boolean;
  /** Its journal was rebuilt or restored, and nobody has resumed it since: it begins nothing by itself. */
  readonly restored: boolean;
  readonly keepOpen: boolean;
  /** The sessions it waited for have answered. */
  readonly followed: boolean;
  readonly conversation: Conversation;
  readonly prompts: readonly Prompt[]; // not yet answered, oldest first
  readonly turn: Turn;
  readonly gate: GateState;
  readonly attendance: Attendance;
  readonly recovery: Recovery;
  readonly accounting: Accounting;
}

/** The number of the session's last run: the fence against late news. */
export function runOf(session: Session): number {
  return session.run?.number ?? 0;
}
