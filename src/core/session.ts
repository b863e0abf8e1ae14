// The durable thing a caller names and supervises: one command, or one agent conversation in one workspace.
// A session outlives its runs. A run is one operating-system process lifetime, numbered 1, 2, 3.

export type SessionId = string & { readonly brand: 'SessionId' };
export type PromptId = string & { readonly brand: 'PromptId' };
export type ApprovalId = string & { readonly brand: 'ApprovalId' };

/** The agent's own id for its thread. Ours is SessionId. The two never mix. */
export type ConversationId = string & { readonly brand: 'ConversationId' };

export type TerminalKind = 'pipe' | 'pty' | 'tmux';

/** What the caller asked for. Frozen when the session is created. */
export interface Spec {
  readonly name: string | null;
  readonly agent: string;
  /**
   * command: one run, its exit is the result. turns: a run per prompt. live: one long run that prompts are typed into.
   */
  readonly drive: 'command' | 'turns' | 'live';
  readonly terminal: TerminalKind;
  readonly workspace: string;
  /** What a command session runs. Empty for agents: they make their own. */
  readonly argv: readonly string[];
  readonly size: Size;
  readonly stdin: 'open' | 'empty';
  readonly split: boolean;
  /** Nobody waits for it: it is announced when it ends. */
  readonly background: boolean;
  readonly notify: Notify;
  /** Stays idle when no prompt is left, instead of ending. */
  readonly keepOpen: boolean;
  readonly policy: Policy;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** never: not announced. output: a success without output is not announced. always: it is. */
export type Notify = 'never' | 'output' | 'always';

/** Every wait in the product is one of these numbers. Steady milliseconds. */
export interface Policy {
  /** How long a run may take; null: for ever. */
  readonly runMsMax: number | null;
  /** From the request to end to the end by force. */
  readonly graceMs: number;
  readonly startMsMax: number;
  readonly acceptMsMax: number;
  readonly silenceMsMax: number;
  readonly approvalMsMax: number;
  readonly resumesMax: number;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
  /** What is kept of the output of a run. */
  readonly outputBytesMax: number;
}

/** The status as a shell reports it: 0–255, where 129–192 may be a signal. */
export interface Exit {
  readonly status: number;
}

/** Why a run ended when nobody asked it to. */
export type Fault =
  | { readonly kind: 'exited'; readonly exit: Exit }
  /** No process and no status. A reboot is the host's doing, and counts against nobody's cap. */
  | { readonly kind: 'lost'; readonly reboot: boolean }
  | { readonly kind: 'unstarted'; readonly why: string } // the launcher could not start the command
  | { readonly kind: 'stalled'; readonly silentMs: number }
  | { readonly kind: 'unready'; readonly waitedMs: number };

/** Why a session is over. */
export type Outcome =
  | { readonly kind: 'done'; readonly exit: Exit | null }
  | { readonly kind: 'stopped'; readonly by: string }
  | { readonly kind: 'abandoned'; readonly fault: Fault };

/** Where a session is. One union: a session cannot be working and recovering at once. Times are steady. */
export type Phase =
  | { readonly at: 'queued' }
  | { readonly at: 'opening'; readonly run: number; readonly boot: string } // intended, no process seen yet
  | { readonly at: 'starting'; readonly run: number; readonly sinceMs: number } // alive, the agent is not ready
  | { readonly at: 'idle'; readonly run: number; readonly sinceMs: number } // waiting for a prompt
  | { readonly at: 'working'; readonly run: number; readonly sinceMs: number }
  | { readonly at: 'blocked'; readonly run: number; readonly sinceMs: number } // an approval is open
  | { readonly at: 'recovering'; readonly run: number; readonly fault: Fault; readonly retryAtMs: number }
  | { readonly at: 'closing'; readonly run: number; readonly outcome: Outcome; readonly graceMs: number }
  | { readonly at: 'ended'; readonly outcome: Outcome };

export interface Prompt {
  readonly id: PromptId;
  readonly text: string;
  /** unsure: it may have been heard and may not; we never send it again by ourselves. */
  readonly state: 'queued' | 'sending' | 'accepted' | 'unsure';
  /** 1 the first time it is worked on, one more each time it is continued after a fault. */
  readonly turn: number;
  /** The run it was last sent to; 0 before that. */
  readonly run: number;
  /** Enter was sent once more, because the input box was seen to hold the text. */
  readonly entered: boolean;
  readonly sinceMs: number;
}

export interface Approval {
  readonly id: ApprovalId;
  readonly tool: string;
  readonly askedAtMs: number;
}

/** The last run as far as the journal knows it. */
export interface Run {
  readonly number: number;
  /** The boot it was intended in. */
  readonly boot: string;
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

/** The fold of a session's events. Nothing here is stored twice. */
export interface Session {
  readonly id: SessionId;
  readonly seq: number;
  readonly createdAtMs: number; // wall
  readonly spec: Spec;
  readonly phase: Phase;
  readonly run: Run | null;
  readonly background: boolean;
  readonly removed: boolean;
  readonly conversation: ConversationId | null;
  readonly faults: number; // in a row; a finished turn sets it back to 0
  readonly prompts: readonly Prompt[]; // not yet answered, oldest first
  readonly approvals: readonly Approval[]; // not yet decided
}
