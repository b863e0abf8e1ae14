import type { Actor } from './actor.ts';
import type { PromptId, Trouble } from './session.ts';

/** A text for the agent, from the moment that somebody gives it until it is answered. */
export interface Prompt {
  readonly id: PromptId;
  readonly text: string;
  /** unsure: it may have been heard and may not; we never send it again by ourselves. */
  /** troubled: its turn failed, and what helps is not decided yet. */
  readonly state: 'queued' | 'sending' | 'accepted' | 'unsure' | 'troubled';
  /** 1 the first time it is worked on, one more each time it is continued after a fault. */
  readonly turn: number;
  /** The run it was last sent to; 0 before that. */
  readonly run: number;
  /** Enter was sent once more, because the input box was seen to hold the text. */
  readonly entered: boolean;
  /** How often that was; missing: as `entered` says. */
  readonly enters?: number;
  /** It shall go into the turn that is running. */
  readonly now: boolean;
  /** It is for the agent itself, which does not say that it heard it. */
  readonly command: boolean;
  /** Nobody asked for it: it shall help the prompt behind it. */
  readonly remedy: boolean;
  /** Why it is not sent yet. */
  readonly waiting: string | null;
  /** Not before this. */
  readonly notBeforeMs: number;
  /** How often its turn failed. */
  readonly troubles: number;
  readonly trouble: { readonly trouble: Trouble; readonly text: string } | null;
  /** The last turn of it that hung and was interrupted by us; 0: none. */
  readonly hungTurn: number;
  /** Tool calls that were open when its turn broke off: nobody knows what became of them. */
  readonly unknown: readonly OpenCall[];
  /** The agent's own id of the turn, once it said so. */
  readonly turnId: string | null;
  /** Wall time of the last sending: what the agent wrote down earlier is not about it. */
  readonly sentAtMs: number;
  readonly sinceMs: number;
}

/** How the last turn of ours ended. */
export interface LastTurn {
  readonly prompt: PromptId;
  readonly text: string;
  /** What was really said last: after a fault that is a continuation. */
  readonly said: string;
  readonly how: 'answered' | 'failed' | 'interrupted';
  /** The reply, the words of the error, or who interrupted it. */
  readonly reply: string;
  /** Who interrupted it. */
  readonly by?: Actor;
  /** Its hook has not told that it was heard; it may still come. */
  readonly unmarked?: true;
}

/** A tool call whose end we have not heard of. */
export interface OpenCall {
  readonly id: string;
  readonly tool: string;
  /** The beginning of its input. */
  readonly input?: string;
}
