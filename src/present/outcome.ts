import type { SessionView } from '../api/shapes.ts';

type OutcomeView = NonNullable<SessionView['outcome']>;

/** How a foreign text is shown to one kind of reader. */
export interface TextStyle {
  /** Turns a foreign text into one harmless line. */
  readonly line: (text: string) => string;
  /** Include what the agent or its screen said; without it every word is ours. */
  readonly withReason: boolean;
}

/** Stopped by its own settings, not by a person or a program. */
const STOPPED: Readonly<Record<string, string>> = { timeout: 'timed out', silence: 'silent for too long' };

/** How a session ended, in a few words. `exit` is the exit of what ended by itself, in words; null: it has none. */
export function outcomeText(outcome: OutcomeView, exit: string | null, style: TextStyle): string {
  switch (outcome.kind) {
    case 'done':
      return exit ?? 'done';
    case 'stopped':
      return (
        STOPPED[outcome.bound ?? ''] ??
        `stopped by ${outcome.by === 'caller' ? 'you' : style.line(outcome.by ?? 'unknown')}`
      );
    case 'failed':
      return `failed${reasonText(outcome.why ?? 'unknown', style)}`;
    case 'abandoned':
      return `abandoned: ${style.line(outcome.why ?? 'unknown')}`;
  }
}

/** The reason after a word of ours; nothing where only our own words are wanted. */
export function reasonText(reason: string, { line, withReason }: TextStyle): string {
  return withReason ? `: ${line(reason)}` : '';
}

const SIGNALS: Readonly<Record<number, string>> = {
  1: 'HUP',
  2: 'INT',
  3: 'QUIT',
  6: 'ABRT',
  9: 'KILL',
  11: 'SEGV',
  13: 'PIPE',
  15: 'TERM',
};

/** An exit status in words. A shell cannot tell a signal from a status above 128, so neither do we. */
export function exitText(status: number): string {
  const signal = status - 128;
  if (signal < 1 || signal > 64) return `exit ${status}`;
  const name = SIGNALS[signal];
  return `signal ${signal}${name ? ` ${name}` : ''} (or exit ${status})`;
}
