import type { Actor } from './actor.ts';
import type { Image } from './image.ts';
import type { PromptId, Trouble } from './session.ts';

/** A text for the agent, from the request until it is answered. */
export interface Prompt {
  readonly id: PromptId;
  readonly text: string;
  /** Sent with it, each time it is sent; missing: none. */
  readonly images?: readonly Image[];
  /** unsure: it is not known whether the agent received it; it is never sent again automatically. */
  /** troubled: its turn failed, and what to do about it is not decided yet. */
  readonly state: 'queued' | 'sending' | 'accepted' | 'unsure' | 'troubled';
  /** 1 at first, one more each time it is continued after a fault. */
  readonly turn: number;
  /** The turn in which the current conversation got it first, if another one had it before; missing: 1. */
  readonly firstTurn?: number;
  /** The conversation does not have it, although the agent began to work on it: a continuation repeats all of it. */
  readonly unwritten?: true;
  /** What an agent that takes over is told with it. */
  readonly handover?: string;
  /** The run it was last sent to; 0 before that. */
  readonly run: number;
  /** Enter was repeated, because the input box was seen to have the text. */
  readonly entered: boolean;
  /** How often; missing: as `entered` says. */
  readonly enters?: number;
  /** It goes into the running turn. */
  readonly now: boolean;
  /** It is a command for the agent itself, which does not confirm it. */
  readonly command: boolean;
  /** Not requested by a caller: it is a remedy for the prompt behind it. */
  readonly remedy: boolean;
  /** Why it is not sent yet. */
  readonly waiting: string | null;
  /** Not to be sent before this. */
  readonly notBeforeMs: number;
  /** How often its turn failed. */
  readonly troubles: number;
  readonly trouble: { readonly trouble: Trouble; readonly text: string } | null;
  /** The last turn of it that hung and was interrupted by us; 0: none. */
  readonly hungTurn: number;
  /** Tool calls that were open when its turn broke off: their results are not known. */
  readonly unknown: readonly OpenCall[];
  /** Tool calls that had ended right before: the agent may not have written them down. */
  readonly done?: readonly OpenCall[];
  /** Those that ended before: an agent that wrote down nothing of its turn does not know of them either. */
  readonly earlier?: readonly OpenCall[];
  /** The agent's own id of the turn, once reported. */
  readonly turnId: string | null;
  /** Wall time of the last try to send it: older records of the agent are not about it. */
  readonly sentAtMs: number;
  readonly sinceMs: number;
}

/** How our last turn ended. */
export interface LastTurn {
  readonly prompt: PromptId;
  readonly text: string;
  /** The text that was sent last: after a fault, a continuation. */
  readonly said: string;
  readonly how: 'answered' | 'failed' | 'interrupted';
  /** The reply, the error message, or who interrupted it. */
  readonly reply: string;
  /** Who interrupted it. */
  readonly by?: Actor;
  /** Its hook has not reported that it was received; that may still come. */
  readonly unmarked?: true;
}

/** A tool call without a reported end. */
export interface OpenCall {
  readonly id: string;
  readonly tool: string;
  /** The beginning of its input. */
  readonly input?: string;
}
