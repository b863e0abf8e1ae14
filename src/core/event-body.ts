import type { Actor } from './actor.ts';
import type { ApprovalBody } from './approval.ts';
import type { Fact } from './fact.ts';
import type { Image } from './image.ts';
import type { OwnershipBody } from './ownership.ts';
import type { Remedy, RemedyCommand } from './remediation.ts';
import type {
  ApprovalId,
  Control,
  ConversationId,
  Exit,
  Fault,
  Hold,
  How,
  OpenCall,
  Outcome,
  PromptId,
  Spec,
  Switch,
  Trouble,
  Usage,
} from './session.ts';
import type { LimitWindow, Spent } from './usage.ts';

/**
 * Everything that can happen to a session. This list describes the product; docs/events.md explains each. The first
 * word of the type names the family.
 */
export type EventBody =
  | SessionBody
  | RunBody
  | PromptBody
  | UsageBody
  | RemedyBody
  | AgentBody
  | ApprovalBody
  | OwnershipBody;

type FirstWord<Type extends string> = Type extends `${infer First}.${string}` ? First : never;

/** The first word of a type. */
export type Family = FirstWord<EventBody['type']>;

/** Does it belong to one of these families? */
export function isOf<F extends Family>(body: EventBody, ...families: F[]): body is OfFamily<F> {
  return families.some((family) => body.type.startsWith(`${family}.`));
}

type OfFamily<F extends Family> = Extract<EventBody, { type: `${F}.${string}` }>;

/** Events about a session as a whole. */
export type SessionBody =
  | { readonly type: 'session.created'; readonly spec: Spec }
  | { readonly type: 'session.backgrounded'; readonly by: Actor }
  | { readonly type: 'session.closing'; readonly outcome: Outcome; readonly graceMs?: number }
  | { readonly type: 'session.ended'; readonly outcome: Outcome }
  | { readonly type: 'session.removed'; readonly by: Actor }
  /** startFresh: if its conversation is lost, a new one is started. */
  | { readonly type: 'session.resumed'; readonly by: Actor; readonly startFresh?: boolean }
  | {
      readonly type: 'session.followed';
      readonly texts: readonly { readonly prompt: PromptId; readonly text: string }[];
    }
  /** Another agent is to take over. */
  | { readonly type: 'session.switching'; readonly by: Actor; readonly why: SwitchReason; readonly to: Switch }
  | { readonly type: 'session.switched'; readonly from: string; readonly to: string }
  /** No other agent can take over: it waits for the end of its limit. */
  | { readonly type: 'session.unswitched'; readonly why: string }
  | { readonly type: 'session.held'; readonly run: number; readonly why: Hold }
  /** This journal was rebuilt or restored; `journal` is its new id. */
  | { readonly type: 'session.restored'; readonly journal: string }
  | { readonly type: 'session.limited'; readonly run: number; readonly untilMs: number; readonly text: string }
  | { readonly type: 'session.unlimited'; readonly run: number; readonly by?: Actor }
  | { readonly type: 'session.released'; readonly run: number; readonly by?: Actor; readonly startFresh?: boolean };

/** Why another agent takes over: a caller asked for it, a usage limit was met, or that limit is over. */
export type SwitchReason = 'asked' | 'limit' | 'limit-over';

/** Events about a run of its process. */
export type RunBody =
  | {
      readonly type: 'run.starting';
      readonly run: number;
      readonly how: How;
      readonly boot: string;
      /** It gets no prompt: it resumes a deferred call. */
      readonly silent?: boolean;
      /** The agent's own id of the last turn recorded before this run; missing: there was none. */
      readonly upTo?: string;
      /** Calls without a result in the record of the agent, if it reported none itself. */
      readonly open?: readonly OpenCall[];
    }
  | { readonly type: 'run.opened'; readonly run: number; readonly pid: number }
  | { readonly type: 'run.ready'; readonly run: number }
  /** Its process was idle for too long and is ended; the session stays open. */
  | { readonly type: 'run.closing'; readonly run: number; readonly idleMs: number }
  /** The next run waits: no process may open its conversation before this wall time. */
  | { readonly type: 'run.delayed'; readonly run: number; readonly untilMs: number; readonly why: string }
  | { readonly type: 'run.written'; readonly run: number; readonly what: Writing; readonly bytes: number }
  | { readonly type: 'run.gapped'; readonly run: number; readonly atBytes: number; readonly why: Gap }
  | {
      readonly type: 'run.ended';
      readonly run: number;
      readonly exit: Exit | null;
      readonly outputBytes: number;
      readonly complete: boolean;
    }
  | { readonly type: 'run.faulted'; readonly run: number; readonly fault: Fault; readonly retryAtMs: number };

/** Events about a prompt. */
export type PromptBody =
  | {
      readonly type: 'prompt.queued';
      readonly prompt: PromptId;
      readonly text: string;
      /** What they are and where their content is; missing: it has none. */
      readonly images?: readonly Image[];
      readonly now?: boolean;
      readonly command?: boolean;
    }
  | {
      readonly type: 'prompt.sending';
      readonly prompt: PromptId;
      readonly turn: number;
      readonly run: number;
      /** Its turn failed and left no conversation: it is sent like the first time. */
      readonly fromStart?: true;
      /** The record of the agent does not have it, although the agent had called tools for it. */
      readonly unwritten?: true;
    }
  /** It cannot be sent now, and why. */
  | { readonly type: 'prompt.waiting'; readonly prompt: PromptId; readonly why: string }
  | { readonly type: 'prompt.entering'; readonly prompt: PromptId }
  | { readonly type: 'prompt.accepted'; readonly prompt: PromptId; readonly turnId: string | null }
  | { readonly type: 'prompt.unsure'; readonly prompt: PromptId; readonly waitedMs: number }
  | { readonly type: 'prompt.answered'; readonly prompt: PromptId; readonly reply: string }
  | { readonly type: 'prompt.failed'; readonly prompt: PromptId; readonly error: string }
  | { readonly type: 'prompt.troubled'; readonly prompt: PromptId; readonly trouble: Trouble; readonly text: string }
  | { readonly type: 'prompt.delayed'; readonly prompt: PromptId; readonly retryAtMs: number; readonly why: string }
  | { readonly type: 'prompt.interrupted'; readonly prompt: PromptId; readonly by: Actor }
  | { readonly type: 'prompt.dropped'; readonly prompt: PromptId; readonly by: Actor };

/** Usage. */
export type UsageBody =
  | {
      readonly type: 'usage.counted';
      /** The prompt of the turn; null: no turn of ours was finished with it. */
      readonly prompt: PromptId | null;
      readonly usage: Usage;
      /** What was added, by model. */
      readonly by?: readonly Spent[];
      /** The agent's own id of the last message that is counted. */
      readonly upTo?: string | null;
    }
  /** How much of its account's limits is used: those that the agent reports now. Others may be as they were. */
  | { readonly type: 'usage.gauged'; readonly run: number; readonly windows: readonly LimitWindow[] };

export type Counted = Extract<UsageBody, { type: 'usage.counted' }>;
export type Gauged = Extract<UsageBody, { type: 'usage.gauged' }>;

/** Tries to repair the conversation itself. */
export type RemedyBody =
  | {
      readonly type: 'remedy.begun';
      readonly remedy: Remedy;
      /** The prompt whose turn failed, and with which error. */
      readonly prompt: PromptId;
      readonly why: string;
      readonly command?: RemedyCommand;
    }
  | {
      readonly type: 'remedy.ended';
      readonly remedy: Remedy;
      readonly prompt: PromptId;
      readonly ok: boolean;
      readonly text: string;
    };

/** Events in the conversation, and about who controls the terminal. */
export type AgentBody =
  | ({ readonly type: 'control.taken' } & Control)
  | { readonly type: 'control.returned'; readonly by: Actor }
  | { readonly type: 'visit.wanted'; readonly by: Actor }
  | {
      readonly type: 'conversation.opened';
      readonly run: number;
      readonly conversation: ConversationId;
      readonly transcript: string | null;
      /** Why: startup, resume, clear, compact, fork, moved, found. */
      readonly source: string;
    }
  | { readonly type: 'turn.started'; readonly run: number; readonly text: string; readonly turnId: string | null }
  | { readonly type: 'turn.ended'; readonly run: number; readonly reply: string; readonly trouble?: Trouble }
  | { readonly type: 'turn.interrupting'; readonly run: number; readonly by: Actor }
  /** Its run ended in the middle of the turn, as it was told to; the answer resumes it. */
  | { readonly type: 'turn.deferred'; readonly run: number; readonly approval: ApprovalId }
  | Fact;

/** Why output is missing: its sink died and was restarted, or the whole terminal is gone. */
export type Gap = 'sink' | 'terminal';

/** What was written to a run. The content is not recorded. */
export type Writing = 'bytes' | 'keys' | 'paste' | 'eof' | 'size' | 'interrupt';
