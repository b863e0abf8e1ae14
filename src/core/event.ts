import type { Actor } from './actor.ts';
import type { Question, Ruling } from './approval.ts';
import type { Cause } from './cause.ts';
import type { EventBody, Gauged, SwitchReason, Writing } from './event-body.ts';
import type { Fact } from './fact.ts';
import type { Image } from './image.ts';
import type { OwnershipInput } from './ownership.ts';
import type { AddedRule, ApprovalId, ConversationId, How, PromptId, SessionId, Switch, Trouble } from './session.ts';

export type { InputId } from './cause.ts';
export type { EventBody, Gap, Writing } from './event-body.ts';

/** Something that happened. Past tense, immutable, complete without its neighbours. */
export interface Event {
  readonly session: SessionId;
  readonly seq: number; // 1, 2, 3 … within the session, no gaps
  readonly atMs: number; // wall clock, for people
  readonly steadyMs: number; // monotonic time of this host without sleep, for durations
  readonly cause: Cause | null; // the input that caused it; the journal accepts each input once
  readonly body: EventBody;
}

/** A request of a caller, or a report of an agent's hook. Not an event yet. */
export type Input =
  | {
      readonly type: 'prompt';
      readonly prompt: PromptId;
      readonly text: string;
      readonly images?: readonly Image[];
      readonly now?: boolean;
      readonly command?: boolean;
    }
  | { readonly type: 'drop'; readonly prompt: PromptId; readonly by: Actor }
  | { readonly type: 'interrupt'; readonly by: Actor }
  | { readonly type: 'resume'; readonly by: Actor; readonly startFresh?: boolean }
  /** Another agent takes over. */
  | { readonly type: 'switch'; readonly by: Actor; readonly why: SwitchReason; readonly to: Switch }
  /** No other agent can take over from one that met its usage limit. */
  | { readonly type: 'unswitched'; readonly why: string }
  /** Its processes exceed the memory limit. */
  | { readonly type: 'memory'; readonly run: number; readonly bytes: number }
  /** The agent is not proven to obey the gate. */
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
      /** The edited input, as JSON, and its hash. */
      readonly edit?: string;
      readonly editHash?: string;
      /** Applies for the rest of the session. */
      readonly rule?: AddedRule;
    }
  /** The agent shows a dialog about the call, while this hook waits. */
  | { readonly type: 'show'; readonly approval: ApprovalId; readonly hook: string }
  /** The agent is about to make the call that was allowed. */
  | { readonly type: 'use'; readonly approval: ApprovalId }
  /** No process waits for this answer any more. closed: the agent is alive, so it closed the dialog itself. */
  | { readonly type: 'miss'; readonly approval: ApprovalId; readonly closed?: boolean }
  /** A caller without the right to decide it tried to. */
  | { readonly type: 'refuse'; readonly approval: ApprovalId; readonly by: Actor }
  | OwnershipInput
  | HookInput;

/** What a hook of the agent reports about its run. */
export type HookInput =
  | {
      readonly type: 'hook.opened';
      readonly run: number;
      readonly conversation: ConversationId;
      readonly transcript: string | null;
      readonly source: string;
    }
  /** The agent accepted a prompt. The token says that it is ours; null: it came from elsewhere. */
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
      /** Part of the turn continues in the background and will start another turn. */
      readonly more: boolean;
      /** It was cancelled before it was done; missing: it was not. */
      readonly interrupted?: true;
    }
  | { readonly type: 'hook.noted'; readonly run: number; readonly fact: Fact | Gauged };

/** A change to the outside world. Doing one twice is harmless, or it is done at most once per intent. */
export type Effect =
  | { readonly kind: 'open'; readonly run: number; readonly how: How; readonly say: Say | null }
  /** Gives the agent a prompt: typed into its input box, or in a message. */
  | { readonly kind: 'deliver'; readonly run: number; readonly say: Say }
  /** Answers a question of an agent that is driven by messages. `seq`: the event that has the reason; null: none. */
  | {
      readonly kind: 'answer';
      readonly run: number;
      readonly question: string;
      readonly allow: boolean;
      readonly seq: number | null;
    }
  | { readonly kind: 'enter'; readonly run: number }
  /** Removes a prompt of ours from the input box. */
  | { readonly kind: 'withdraw'; readonly run: number }
  | { readonly kind: 'interrupt'; readonly run: number }
  | { readonly kind: 'repair-output'; readonly run: number }
  | { readonly kind: 'hangup'; readonly run: number }
  /** Stages updates for the running turn, or removes them if no hook has taken them. */
  | { readonly kind: 'stage'; readonly run: number; readonly update: string; readonly text: string }
  | { readonly kind: 'unstage'; readonly run: number; readonly update: string }
  | { readonly kind: 'close'; readonly run: number };

/** A prompt to send. The token identifies this try. */
export interface Say {
  readonly token: string;
  readonly text: string;
  readonly images?: readonly Image[];
}

export type Step =
  | { readonly do: 'append'; readonly events: readonly EventBody[] }
  | { readonly do: 'act'; readonly effect: Effect }
  | { readonly do: 'wait'; readonly untilMs: number | null }; // steady; null: until the loop is woken
