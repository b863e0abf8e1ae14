import type { HookInput } from '../../core/event.ts';

/** What an agent reports by running commands of ours. How it is told to run them is part of its launch. */
export interface Hooks {
  /** What a hook's payload reports; empty when it is of no interest. */
  read(payload: unknown, run: number, nowMs: number): readonly HookReport[];
  /** Is the text that a hook reports the one that was sent? */
  isSameText(sent: string, reported: string): boolean;
}

/** What a hook reports. Whose prompt it is about is decided by the supervisor, which knows what was sent. */
export type HookReport = HookInput;
