import type { Action } from '../core/rules/action.ts';

export type { Action };

/** A step of a turn, as `session.turns` sends it. */
export type Step =
  | { readonly is: 'text' | 'thinking' | 'steering' | 'told' | 'note'; readonly text: string }
  | CallStep;

/** A tool call; its result is null until it returns. */
export interface CallStep {
  readonly is: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly actions: readonly Action[];
  readonly result: { readonly text: string; readonly images: number; readonly isError: boolean } | null;
}
