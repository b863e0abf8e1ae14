import type { Actor } from './actor.ts';
import type { ApprovalBody, Question, Ruling } from './approval.ts';
import type { Fact } from './fact.ts';
import type { Remedy, RemedyCommand } from './mend.ts';
import type {
  AddedRule,
  ApprovalId,
  Control,
  ConversationId,
  Exit,
  Fault,
  Hold,
  How,
  Outcome,
  PromptId,
  SessionId,
  Spec,
  Trouble,
  Usage,
} from './session.ts';
import type { Spent } from './usage.ts';
import type { WakeBody, WakeInput } from './wake.ts';

export type InputId = string & { readonly brand: 'InputId' };

/** A fact. Past tense, immutable, complete without its neighbours. */
export interface Event {
  readonly session: SessionId;
  readonly seq: number; // 1, 2, 3 … within the session, no gaps
  readonly atMs: number; // wall, for people
  readonly steadyMs: number; // awake time of this host, for ages
  readonly cause: InputId | null; // the input it came from; the journal takes each input once
  readonly body: EventBody;
}

/**
 * Everything that can happen to a session. A reader learns the product from this list; docs/events.md explains each.
 */
export type EventBody =
  | { readonly type: 'session.created'; readonly spec: Spec }
  | { readonly type: 'session.backgrounded'; readonly by: Actor }
  | { readonly type: 'session.closing'; readonly outcome: Outcome; readonly graceMs?: number }
  | { readonly type: 'session.ended'; readonly outcome: Outcome }
  | { readonly type: 'session.removed'; readonly by: Actor }
  /** anew: where its conversation is gone, another one is begun. */
  | { readonly type: 'session.resumed'; readonly by: Actor; readonly anew?: boolean }
  | {
      readonly type: 'session.followed';
      readonly texts: readonly { readonly prompt: PromptId; readonly text: string }[];
    }
  | { readonly type: 'session.held'; readonly run: number; readonly why: Hold }
  /** The journal that this is in was rebuilt or restored; `journal` is its new id. */
  | { readonly type: 'session.restored'; readonly journal: string }
  | { readonly type: 'session.limited'; readonly run: number; readonly untilMs: number; readonly text: string }
  | { readonly type: 'session.unlimited'; readonly run: number; readonly by?: Actor }
  | { readonly type: 'session.released'; readonly run: number; readonly by?: Actor; readonly anew?: boolean }
  | ({ readonly type: 'control.taken' } & Control)
  | { readonly type: 'control.returned'; readonly by: Actor }
  | { readonly type: 'visit.wanted'; readonly by: Actor }
  | {
      readonly type: 'run.starting';
      readonly run: number;
      readonly how: How;
      readonly boot: string;
      /** It is told nothing: it goes on with a call that was put off. */
      readonly silent?: boolean;
      /** The agent's own id of the last turn that was written down before it; missing: there was none. */
      readonly upTo?: string;
    }
  | { readonly type: 'run.opened'; readonly run: number; readonly pid: number }
  | { readonly type: 'run.ready'; readonly run: number }
  | {
      readonly type: 'conversation.opened';
      readonly run: number;
      readonly conversation: ConversationId;
      readonly transcript: string | null;
      /** Why: startup, resume, clear, compact, fork, moved. */
      readonly source: string;
    }
  | { readonly type: 'run.written'; readonly run: number; readonly what: Writing; readonly bytes: number }
  | { readonly type: 'run.gapped'; readonly run: number; readonly atBytes: number; readonly why: Gap }
  | {
      readonly type: 'run.ended';
      readonly run: number;
      readonly exit: Exit | null;
      readonly outputBytes: number;
      readonly complete: boolean;
    }
  | { readonly type: 'run.faulted'; readonly run: number; readonly fault: Fault; readonly retryAtMs: number }
  | {
      readonly type: 'prompt.queued';
      readonly prompt: PromptId;
      readonly text: string;
      readonly now?: boolean;
      readonly command?: boolean;
    }
  | { readonly type: 'prompt.sending'; readonly prompt: PromptId; readonly turn: number; readonly run: number }
  /** It cannot be sent now, and why. */
  | { readonly type: 'prompt.waiting'; readonly prompt: PromptId; readonly why: string }
  | { readonly type: 'prompt.entering'; readonly prompt: PromptId }
  | { readonly type: 'prompt.accepted'; readonly prompt: PromptId; readonly mark: string | null }
  | { readonly type: 'prompt.unsure'; readonly prompt: PromptId; readonly waitedMs: number }
  | { readonly type: 'prompt.answered'; readonly prompt: PromptId; readonly reply: string }
  | { readonly type: 'prompt.failed'; readonly prompt: PromptId; readonly error: string }
  | { readonly type: 'prompt.troubled'; readonly prompt: PromptId; readonly trouble: Trouble; readonly text: string }
  | { readonly type: 'prompt.delayed'; readonly prompt: PromptId; readonly retryAtMs: number; readonly why: string }
  | {
      readonly type: 'usage.counted';
      /** Whose turn it was; null: no turn of ours was finished with it. */
      readonly prompt: PromptId | null;
      readonly usage: Usage;
      /** What is new in it, by model. */
      readonly by?: readonly Spent[];
      /** The agent's own id of the last message that is counted. */
      readonly upTo?: string | null;
    }
  | { readonly type: 'prompt.interrupted'; readonly prompt: PromptId; readonly by: Actor }
  | { readonly type: 'prompt.dropped'; readonly prompt: PromptId; readonly by: Actor }
  | { readonly type: 'turn.started'; readonly run: number; readonly text: string; readonly mark: string | null }
  | { readonly type: 'turn.ended'; readonly run: number; readonly reply: string; readonly trouble?: Trouble }
  | {
      readonly type: 'remedy.begun';
      readonly remedy: Remedy;
      /** The prompt whose turn failed, and what with. */
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
    }
  | { readonly type: 'turn.interrupting'; readonly run: number; readonly by: Actor }
  /** Its run ended in the middle of it, as it was told; the answer takes it up again. */
  | { readonly type: 'turn.deferred'; readonly run: number; readonly approval: ApprovalId }
  | Fact
  | ApprovalBody
  | WakeBody;

/** Why output is missing: its sink died and is mended, or the whole terminal is gone. */
export type Gap = 'sink' | 'terminal';

/** What was written to a run. Its content is nobody's business but the run's. */
export type Writing = 'bytes' | 'keys' | 'paste' | 'eof' | 'size' | 'interrupt';

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
  | { readonly type: 'resume'; readonly by: Actor; readonly anew?: boolean }
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
  | WakeInput
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
      readonly mark: string | null;
      readonly text: string;
    }
  | ({ readonly type: 'hook.asked'; readonly ruling: Ruling } & Question)
  | {
      readonly type: 'hook.stopped';
      readonly run: number;
      readonly mark: string | null;
      readonly reply: string;
      /** Why the turn failed; null: it did not. */
      readonly trouble: Trouble | null;
      /** Something of the turn goes on in the background, and will begin another turn. */
      readonly more: boolean;
    }
  | { readonly type: 'hook.noted'; readonly run: number; readonly fact: Fact };

/** A change to the world. Doing one twice must be harmless, or it is done at most once per intent. */
export type Effect =
  | { readonly kind: 'open'; readonly run: number; readonly how: How; readonly say: Say | null }
  | { readonly kind: 'type'; readonly run: number; readonly say: Say }
  | { readonly kind: 'enter'; readonly run: number }
  /** Empties an input box that holds a text of ours. */
  | { readonly kind: 'clear'; readonly run: number }
  | { readonly kind: 'interrupt'; readonly run: number }
  | { readonly kind: 'mend'; readonly run: number }
  | { readonly kind: 'hangup'; readonly run: number }
  /** Lays news out for the turn that runs; takes them back if nobody has taken them. */
  | { readonly kind: 'offer'; readonly run: number; readonly offer: string; readonly text: string }
  | { readonly kind: 'withdraw'; readonly run: number; readonly offer: string }
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
