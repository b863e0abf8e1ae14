import type { HookInput } from '../../core/event.ts';

/** What an agent reports by running our commands. How it is told to run them is part of its launch. */
export interface Hooks {
  /** The reports in a hook's payload; empty: nothing relevant. */
  read(payload: unknown, run: number, nowMs: number): readonly HookReport[];
  /** Is the reported text the one that was sent? */
  isSameText(sent: string, reported: string): boolean;
}

/** A hook report. The supervisor, which knows what was sent, decides whose prompt it is about. */
export type HookReport = HookInput;
