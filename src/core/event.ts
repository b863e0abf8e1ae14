import type { ApprovalId, ConversationId, Exit, Fault, Outcome, PromptId, SessionId, Spec } from './session.ts';

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
  | { readonly type: 'session.backgrounded'; readonly by: string }
  | { readonly type: 'session.closing'; readonly outcome: Outcome; readonly graceMs?: number }
  | { readonly type: 'session.ended'; readonly outcome: Outcome }
  | { readonly type: 'session.removed'; readonly by: string }
  | { readonly type: 'run.starting'; readonly run: number; readonly how: 'launch' | 'resume'; readonly boot: string }
  | { readonly type: 'run.opened'; readonly run: number; readonly pid: number }
  | { readonly type: 'run.ready'; readonly run: number; readonly conversation: ConversationId | null }
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
  | { readonly type: 'prompt.queued'; readonly prompt: PromptId; readonly text: string }
  | { readonly type: 'prompt.sending'; readonly prompt: PromptId; readonly turn: number; readonly run: number }
  | { readonly type: 'prompt.entering'; readonly prompt: PromptId }
  | { readonly type: 'prompt.accepted'; readonly prompt: PromptId }
  | { readonly type: 'prompt.unsure'; readonly prompt: PromptId; readonly waitedMs: number }
  | { readonly type: 'prompt.answered'; readonly prompt: PromptId; readonly reply: string }
  | { readonly type: 'approval.asked'; readonly approval: ApprovalId; readonly tool: string }
  | { readonly type: 'approval.decided'; readonly approval: ApprovalId; readonly allow: boolean; readonly by: string };

/** Why output is missing: its sink died and is mended, or the whole terminal is gone. */
export type Gap = 'sink' | 'terminal';

/** What was written to a run. Its content is nobody's business but the run's. */
export type Writing = 'bytes' | 'keys' | 'paste' | 'eof' | 'size' | 'interrupt';

/** What somebody wants, or what an agent's hook reports. Not yet a fact. */
export type Input =
  | { readonly type: 'prompt'; readonly prompt: PromptId; readonly text: string }
  | { readonly type: 'write'; readonly what: Writing; readonly bytes: number }
  | { readonly type: 'background'; readonly by: string }
  | { readonly type: 'stop'; readonly by: string; readonly graceMs?: number }
  | { readonly type: 'remove'; readonly by: string }
  | { readonly type: 'decide'; readonly approval: ApprovalId; readonly allow: boolean; readonly by: string }
  | { readonly type: 'hook.ready'; readonly run: number; readonly conversation: ConversationId }
  | { readonly type: 'hook.accepted'; readonly run: number; readonly token: string }
  | { readonly type: 'hook.asked'; readonly run: number; readonly approval: ApprovalId; readonly tool: string }
  | { readonly type: 'hook.stopped'; readonly run: number; readonly token: string; readonly reply: string };

/** What the supervisor sees when it looks. Always about the session's current run. */
export interface Sight {
  readonly terminal: TerminalSight;
  /** Processes of the run besides the launcher. Only counted when it matters: while closing or recovering. */
  readonly left: number;
  /** holding: the input box is seen to hold our text. */
  readonly screen: 'ready' | 'busy' | 'holding' | 'unknown';
  /** What the agent's own file says: the tokens of prompts it heard, and whether its last turn is over. */
  readonly transcript: { readonly heard: readonly string[]; readonly turn: 'open' | 'closed'; readonly reply: string };
  /** Has the intent that `intentOf` names been tried? 'unknown' when an earlier supervisor wrote it. */
  readonly tried: 'no' | 'yes' | 'unknown';
  /** The boot we are in. An intent of an earlier boot may have been carried out: its traces may be gone. */
  readonly boot: string;
  /** May one more run be opened on this host? */
  readonly slot: boolean;
}

export type TerminalSight =
  | { readonly is: 'absent' } // never opened
  | {
      readonly is: 'alive';
      /** The command's own; 0 while only its launcher is there. */
      readonly pid: number;
      readonly quietMs: number;
      readonly outputBytes: number;
      /**
       * ok: bytes arrive in the output file. broken: its sink died and must be mended. cut: the terminal is gone, the
       * process lives.
       */
      readonly sink: 'ok' | 'broken' | 'cut';
    }
  | {
      readonly is: 'dead';
      readonly exit: Exit;
      readonly outputBytes: number;
      /** All output is in the file. If it is not soon after the exit, some may be missing. */
      readonly drained: boolean;
      readonly exitAgeMs: number;
      /** Why the launcher could not start the command. */
      readonly failed: string | null;
    }
  | { readonly is: 'lost'; readonly outputBytes: number }; // claimed, no process, no exit

/** A change to the world. Doing one twice must be harmless, or it is done at most once per intent. */
export type Effect =
  | { readonly kind: 'open'; readonly run: number; readonly how: 'launch' | 'resume'; readonly say: Say | null }
  | { readonly kind: 'type'; readonly run: number; readonly say: Say }
  | { readonly kind: 'enter'; readonly run: number }
  | { readonly kind: 'mend'; readonly run: number }
  | { readonly kind: 'hangup'; readonly run: number }
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
