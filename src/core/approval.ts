import type { Actor } from './actor.ts';

export type ApprovalId = string & { readonly brand: 'ApprovalId' };

/** A tool call that shall not run before somebody has said yes. */
export interface Question {
  readonly run: number;
  readonly approval: ApprovalId;
  /** The agent's own id of the call. */
  readonly call: string | null;
  readonly tool: string;
  /** What the tool is given, whole, as JSON. */
  readonly input: string;
  /** SHA-256 of the input: an answer is about this and nothing else. */
  readonly hash: string;
  /** The sub-agent that called; null for the agent itself. */
  readonly subagent: string | null;
  /** The hook that waits for the answer; empty when it went on to a dialog. */
  readonly hook: string;
}

/** A tool call that waits for an answer. What it would do stands in the event that asked. */
export interface Approval {
  readonly id: ApprovalId;
  readonly run: number;
  /** The agent's own id of the call. */
  readonly call: string | null;
  readonly tool: string;
  /** Of what the tool is given: the answer is about this and nothing else. */
  readonly hash: string;
  /** The sub-agent that called; null for the agent itself. */
  readonly subagent: string | null;
  /** The hook that waits for the answer; empty until the agent's dialog is up, if it shows one. */
  readonly hook: string;
  /** The agent shows a dialog about it, which a person may answer too. */
  readonly shown: boolean;
  readonly askedAtMs: number;
  readonly askedSeq: number;
}

/** An answer that was given: it is used for that one call. */
export interface Answer {
  readonly approval: ApprovalId;
  readonly call: string | null;
  readonly tool: string;
  /** Of what was asked, and of what was granted: they differ when the input was changed. */
  readonly hash: string;
  readonly granted: string;
  readonly hook: string;
  /** That hook asked whether the call may be made now. */
  readonly shown: boolean;
  readonly allow: boolean;
  readonly used: boolean;
  readonly atMs: number;
  /** The event that has the reason, and what the tool is given instead. */
  readonly seq: number;
}

/** A call that the agent was told to put off: its run ends, and the answer takes it up. */
export interface Deferred {
  readonly approval: ApprovalId;
  readonly run: number;
  readonly call: string;
  /**
   * told: whether it did so is not known. waiting: it did; the question is open, or its answer not given yet. asked: it
   * asked again, and may do so once more should it break. dropped: nobody wants the call any more, and the agent will
   * ask all the same.
   */
  readonly is: 'told' | 'waiting' | 'asked' | 'dropped';
}

/** The questions of a session's agent, and what was answered. */
export interface GateState {
  readonly approvals: readonly Approval[]; // not yet decided
  /** The last answers in the current run, newest last. */
  readonly answers: readonly Answer[];
  /** The call that its agent was told to put off, and what became of that. */
  readonly deferred: Deferred | null;
  /** Rules that were added with an answer. */
  readonly rules: readonly AddedRule[];
}

/** A rule that somebody made of an answer. */
export interface AddedRule {
  readonly effect: 'allow' | 'deny';
  readonly text: string;
  /** It is kept for the workspace, beyond this session. */
  readonly always?: boolean;
}

/** What the rules say about a question. */
export interface Ruling {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** The rule that decided, as it was written; null when none did. */
  readonly rule: string | null;
  readonly why: string;
}

/** The facts about questions and answers: each decision is a row of its own, complete without the others. */
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
      /** What the tool is given instead, as JSON, and its hash. */
      readonly edit?: string;
      readonly editHash?: string;
    }
  /** The agent shows a dialog about it. Whoever answers first decides: a person there, or this hook. */
  | { readonly type: 'approval.shown'; readonly approval: ApprovalId; readonly run: number; readonly hook: string }
  /** Nobody has answered for a while: the agent is told to put the call off and to end its run. */
  | { readonly type: 'approval.deferred'; readonly approval: ApprovalId; readonly run: number }
  /** The agent asks again about a call that was put off: this hook is told what was decided. */
  | { readonly type: 'approval.repeated'; readonly approval: ApprovalId; readonly run: number; readonly hook: string }
  /** The call that was allowed is being made: the same answer lets nothing else through. */
  | { readonly type: 'approval.used'; readonly approval: ApprovalId; readonly run: number }
  /** The answer came too late: the call had been denied, or was gone. */
  | { readonly type: 'approval.missed'; readonly approval: ApprovalId; readonly run: number }
  /** Somebody who may not tried to answer it: what runs inside of the session does not decide for it. */
  | { readonly type: 'approval.refused'; readonly approval: ApprovalId; readonly run: number; readonly by: Actor }
  | ({ readonly type: 'approval.ruled'; readonly by: Actor } & AddedRule)
  /** A tool was used that nobody had allowed. */
  | {
      readonly type: 'approval.breached';
      readonly run: number;
      readonly call: string | null;
      readonly tool: string;
      readonly evidence: string;
    };

/** Whoever answers the agent's own dialog. */
export const SCREEN: Actor = { is: 'person', name: null, at: 'screen' };

type Decided = Extract<ApprovalBody, { type: 'approval.decided' }>;

/** An answer to a question, as a fact. */
export function decided(
  { id, run, call, tool, hash }: Pick<Approval, 'id' | 'run' | 'call' | 'tool' | 'hash'>,
  answer: Pick<Decided, 'allow' | 'by' | 'why' | 'rule' | 'edit' | 'editHash'>,
): Decided {
  return { type: 'approval.decided', approval: id, run, call, tool, hash, ...answer };
}
