import type { Actor } from './actor.ts';
import type { Question, Ruling } from './approval.ts';
import type { Cause } from './cause.ts';
import type { EventBody, Writing } from './event-body.ts';
import type { Fact } from './fact.ts';
import type { OwnershipInput } from './ownership.ts';
import type { AddedRule, ApprovalId, ConversationId, How, PromptId, SessionId, Trouble } from './session.ts';

export type { InputId } from './cause.ts';
export type { EventBody, Gap, Writing } from './event-body.ts';

/** A fact. Past tense, immutable, complete without its neighbours. */
export interface Event {
  readonly session: SessionId;
  readonly seq: number; // 1, 2, 3 … within the session, no gaps
  readonly atMs: number; // wall, for people
  readonly steadyMs: number; // awake time of this host, for ages
  readonly cause: Cause | null; // the input it came from; the journal takes each input once
  readonly body: EventBody;
}

/** What somebody wants, or what an agent's hook reports. Not yet a fact. */
export type Input =
  | {
      readonly type: 'prompt';
      readonly prompt: PromptId;
      readonly text: string;
      readonly now?: boolean;
      readonly command?: boolean;
    }
  | { readonly type: 'drop'; readonly prompt: PromptId; readonly by: Actor }
  | { readonly type: 'interrupt'; readonly by: Actor }
  | { readonly type: 'resume'; readonly by: Actor; readonly startFresh?: boolean }
  /** Its processes use more memory than it may. */
  | { readonly type: 'memory'; readonly run: number; readonly bytes: number }
  /** Its agent is not proven to hold back what is denied. */
  | { readonly type: 'unsafe'; readonly run: number; readonly why: string }
  | { readonly type: 'visit'; readonly by: Actor }
  | { readonly type: 'hand-off'; readonly by: Actor }
  | { readonly type: 'hand-back'; readonly by: Actor }
  | { readonly type: 'write'; readonly what: Writing; readonly bytes: number }
  | { readonly type: 'background'; readonly by: Actor }
  | { readonly type: 'stop'; readonly by: Actor; readonly graceMs?: number; readonly force?: boolean }
  | { readonly type: 'remove'; readonly by: Actor }
  | {
      readonly type: 'decide';
      readonly approval: ApprovalId;
      readonly allow: boolean;
      readonly by: Actor;
      readonly why?: string;
      /** What the tool is given instead, as JSON, and its hash. */
      readonly edit?: string;
      readonly editHash?: string;
      /** Holds for the rest of the session. */
      readonly rule?: AddedRule;
    }
  /** The agent shows a dialog about the call, and this hook waits meanwhile. */
  | { readonly type: 'show'; readonly approval: ApprovalId; readonly hook: string }
  /** The agent is about to make the call that was allowed. */
  | { readonly type: 'use'; readonly approval: ApprovalId }
  /** Nobody waits for this answer any more. closed: its agent lives, so it has closed the dialog by itself. */
  | { readonly type: 'miss'; readonly approval: ApprovalId; readonly closed?: boolean }
  /** Somebody who may not decide about it tried to. */
  | { readonly type: 'refuse'; readonly approval: ApprovalId; readonly by: Actor }
  | OwnershipInput
  | HookInput;

/** What a hook of the agent reports of its run. */
export type HookInput =
  | {
      readonly type: 'hook.opened';
      readonly run: number;
      readonly conversation: ConversationId;
      readonly transcript: string | null;
      readonly source: string;
    }
  /** The agent took a prompt. Its token tells that it is one of ours; null: it is somebody else's. */
  | {
      readonly type: 'hook.prompted';
      readonly run: number;
      readonly token: string | null;
      readonly turnId: string | null;
      readonly text: string;
    }
  | ({ readonly type: 'hook.asked'; readonly ruling: Ruling } & Question)
  | {
      readonly type: 'hook.stopped';
      readonly run: number;
      readonly turnId: string | null;
      readonly reply: string;
      /** Why the turn failed; null: it did not. */
      readonly trouble: Trouble | null;
      /** Something of the turn goes on in the background, and will begin another turn. */
      readonly more: boolean;
      /** It was cancelled before it was done; missing: it was not. */
      readonly interrupted?: true;
    }
  | { readonly type: 'hook.noted'; readonly run: number; readonly fact: Fact };

/** A change to the world. Doing one twice must be harmless, or it is done at most once per intent. */
export type Effect =
  | { readonly kind: 'open'; readonly run: number; readonly how: How; readonly say: Say | null }
  /** Gives the agent a prompt: typed into its input box, or in a message. */
  | { readonly kind: 'deliver'; readonly run: number; readonly say: Say }
  /** Answers a question of an agent that is spoken to in messages. `seq`: the event that has the reason; null: none. */
  | {
      readonly kind: 'answer';
      readonly run: number;
      readonly question: string;
      readonly allow: boolean;
      readonly seq: number | null;
    }
  | { readonly kind: 'enter'; readonly run: number }
  /** Empties an input box that holds a text of ours. */
  | { readonly kind: 'withdraw'; readonly run: number }
  | { readonly kind: 'interrupt'; readonly run: number }
  | { readonly kind: 'repair-output'; readonly run: number }
  | { readonly kind: 'hangup'; readonly run: number }
  /** Lays news out for the turn that runs; takes them back if nobody has taken them. */
  | { readonly kind: 'stage'; readonly run: number; readonly update: string; readonly text: string }
  | { readonly kind: 'unstage'; readonly run: number; readonly update: string }
  | { readonly kind: 'close'; readonly run: number };

/** A prompt on its way: the token tells this sending from every other. */
export interface Say {
  readonly token: string;
  readonly text: string;
}

export type Step =
  | { readonly do: 'append'; readonly events: readonly EventBody[] }
  | { readonly do: 'act'; readonly effect: Effect }
  | { readonly do: 'wait'; readonly untilMs: number | null }; // steady; null: until nudged
