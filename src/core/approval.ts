import type { Actor } from './actor.ts';

export type ApprovalId = string & { readonly brand: 'ApprovalId' };

/** A tool call that must not run before it is approved. */
export interface Question {
  readonly run: number;
  readonly approval: ApprovalId;
  /** The agent's own id of the call. */
  readonly call: string | null;
  readonly tool: string;
  /** The tool's whole input, as JSON. */
  readonly input: string;
  /** SHA-256 of the input: an answer applies to this input only. */
  readonly hash: string;
  /** The sub-agent that called; null for the agent itself. */
  readonly subagent: string | null;
  /** The hook that waits for the answer; empty after the agent has opened a dialog instead. */
  readonly hook: string;
  /** How long the agent waits for the answer; missing: as long as it takes. */
  readonly waitsMs?: number;
}

/** A tool call that waits for an answer. The event that asked has its input. */
export interface Approval {
  readonly id: ApprovalId;
  readonly run: number;
  /** The agent's own id of the call. */
  readonly call: string | null;
  readonly tool: string;
  /** Hash of the input: the answer applies to this input only. */
  readonly hash: string;
  /** The sub-agent that called; null for the agent itself. */
  readonly subagent: string | null;
  /** The hook that waits for the answer; empty until the agent's dialog is open, if it shows one. */
  readonly hook: string;
  /** The agent shows a dialog about it, which a person may answer too. */
  readonly shown: boolean;
  /** How long the agent waits for the answer; missing: as long as it takes. */
  readonly waitsMs?: number;
  readonly askedAtMs: number;
  readonly askedSeq: number;
}

/** An answer. It applies to this one call. */
export interface Answer {
  readonly approval: ApprovalId;
  readonly call: string | null;
  readonly tool: string;
  /** Hashes of the input that was asked about and of the one that was granted: they differ if the input was edited. */
  readonly hash: string;
  readonly granted: string;
  readonly hook: string;
  /** That hook asked whether the call may be made now. */
  readonly shown: boolean;
  readonly allow: boolean;
  readonly used: boolean;
  readonly atMs: number;
  /** The event that has the reason and the edited input. */
  readonly seq: number;
}

/** A call that the agent was told to defer: its run ends, and the answer resumes it. */
export interface Deferred {
  readonly approval: ApprovalId;
  readonly run: number;
  readonly call: string;
  /**
   * told: not yet known whether the agent did so. waiting: it did; the question is open, or its answer was not
   * delivered yet. asked: it asked again, and may do so once more after a crash. dropped: the call is no longer wanted,
   * but the agent will still ask.
   */
  readonly is: 'told' | 'waiting' | 'asked' | 'dropped';
}

/** A question whose agent was told to go on without the call. */
export interface Postponed {
  readonly approval: Approval;
  /** The beginning of its input. */
  readonly input: string;
  /** The event that allowed it; null: it is not decided. */
  readonly allowedSeq: number | null;
}

/** The questions of a session's agent, and the answers. */
export interface GateState {
  readonly approvals: readonly Approval[]; // not yet decided
  /** The last answers in the current run, newest last. */
  readonly answers: readonly Answer[];
  /** The call that the agent was told to defer, and what became of it. */
  readonly deferred: Deferred | null;
  /** Calls that the agent was told to go on without, as long as it may ask about them again; missing: none. */
  readonly postponed?: readonly Postponed[];
  /** Rules that were added with an answer. */
  readonly rules: readonly AddedRule[];
}

/** A rule created with an answer. */
export interface AddedRule {
  readonly effect: 'allow' | 'deny';
  readonly text: string;
  /** It is kept for the workspace, beyond this session. */
  readonly always?: boolean;
}

/** How the rules decide a question. */
export interface Ruling {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** The rule that decided, as it was written; null if none did. */
  readonly rule: string | null;
  readonly why: string;
}

/** Events about questions and answers. Each decision is a row of its own, complete without the others. */
export type ApprovalBody =
  | ({ readonly type: 'approval.asked'; readonly why: string } & Question)
  | {
      readonly type: 'approval.decided';
      readonly approval: ApprovalId;
      readonly run: number;
      readonly call: string | null;
      readonly tool: string;
      readonly hash: string;
      readonly allow: boolean;
      readonly by: Actor;
      readonly why: string;
      readonly rule: string | null;
      /** The edited input, as JSON, and its hash. */
      readonly edit?: string;
      readonly editHash?: string;
    }
  /**
   * The agent shows a dialog about it. The first answer counts: a person's in the dialog, or ours through this hook.
   */
  | { readonly type: 'approval.shown'; readonly approval: ApprovalId; readonly run: number; readonly hook: string }
  /** No answer came for a while: the agent is told to defer the call and to end its run. */
  | { readonly type: 'approval.deferred'; readonly approval: ApprovalId; readonly run: number }
  /** The agent would not wait for the answer much longer: it is told to go on without the call, which stays open. */
  | { readonly type: 'approval.postponed'; readonly approval: ApprovalId; readonly run: number }
  /** The agent asks again about a deferred or postponed call: this hook gets the decision. */
  | {
      readonly type: 'approval.repeated';
      readonly approval: ApprovalId;
      readonly run: number;
      readonly hook: string;
      /** The id that a postponed call has now. */
      readonly call?: string | null;
    }
  /** The allowed call is being made: the same answer allows no other call. */
  | { readonly type: 'approval.used'; readonly approval: ApprovalId; readonly run: number }
  /** The answer came too late: the call had been denied, or was gone. */
  | { readonly type: 'approval.missed'; readonly approval: ApprovalId; readonly run: number }
  /** A caller without the right to answer tried to: a process inside the session cannot decide for it. */
  | { readonly type: 'approval.refused'; readonly approval: ApprovalId; readonly run: number; readonly by: Actor }
  | ({ readonly type: 'approval.ruled'; readonly by: Actor } & AddedRule)
  /** A tool ran that had not been allowed. */
  | {
      readonly type: 'approval.breached';
      readonly run: number;
      readonly call: string | null;
      readonly tool: string;
      readonly evidence: string;
    };

/** The person who answers the agent's own dialog. */
export const SCREEN: Actor = { is: 'person', name: null, at: 'screen' };

type Decided = Extract<ApprovalBody, { type: 'approval.decided' }>;

/** The event for an answer to a question. */
export function decided(
  { id, run, call, tool, hash }: Pick<Approval, 'id' | 'run' | 'call' | 'tool' | 'hash'>,
  answer: Pick<Decided, 'allow' | 'by' | 'why' | 'rule' | 'edit' | 'editHash'>,
): Decided {
  return { type: 'approval.decided', approval: id, run, call, tool, hash, ...answer };
}
