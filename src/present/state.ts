import type { SessionView } from '../api/shapes.ts';
import { durationText } from './duration.ts';
import { outcomeText, reasonText, type TextStyle } from './outcome.ts';

// The name and the state of a session, in the same words for the command line, MCP and every page.

/** The name that a person gave it, else its id. */
export function nameOf(session: Pick<SessionView, 'name' | 'id'>): string {
  return session.name ?? session.id;
}

/** The name that lists show: the one a person gave it, else the beginning of its id that no other session has. */
export function listedNameOf(
  session: Pick<SessionView, 'name' | 'id'> & { readonly short?: string | undefined },
): string {
  return session.name ?? session.short ?? session.id;
}

/** A command line as people wrote it: without the shell around it. */
export function commandLine(argv: readonly string[]): string {
  const [, flag, line] = argv;
  return argv.length === 3 && flag === '-c' && line ? line : argv.join(' ');
}

/** How a state is written for one kind of reader. */
export interface StateStyle extends TextStyle {
  /** The time of day, to say how long a limit lasts. */
  readonly nowMs?: number | undefined;
}

/** The phase of a session, or how it ended, in a few words. */
export function stateText(session: SessionView, style: StateStyle): string {
  const { outcome, exit, drive, phase } = session;
  if (phase === 'limited') return [limitText(session, style.nowMs), ...troubles(session, style)].join(', ');
  if (session.held !== null) return `held${reasonText(session.held, style)}`;
  if (outcome === null) return [phase, ...troubles(session, style)].join(', ');
  return outcomeText(outcome, drive === 'command' ? (exit?.text ?? 'exit unknown') : null, style);
}

/** Until when it is limited and, given the current time, for how long. */
export function limitText({ limitedUntilMs }: SessionView, nowMs?: number): string {
  if (limitedUntilMs === null) return 'limited';
  const until = `until ${new Date(limitedUntilMs).toISOString().slice(0, 16)}Z`;
  if (nowMs === undefined) return `limited ${until}`;
  // Sessions continue some minutes after the limit ends, not all at once.
  if (limitedUntilMs <= nowMs) return `limited ${until}, about to continue`;
  return `limited for ${durationText(limitedUntilMs - nowMs)} (${until})`;
}

/** Did it end badly: with an exit other than 0, or stopped, failed or abandoned? */
export function endedBadly({ outcome, exit, drive }: SessionView): boolean {
  return outcome !== null && !(outcome.kind === 'done' && (drive !== 'command' || exit?.status === 0));
}

/** How long it has run, or ran. */
export function runTimeText(session: SessionView, nowMs: number): string {
  return durationText((session.endedAtMs ?? nowMs) - session.createdAtMs);
}

// What a reader should know although the session is still running.
function troubles({ phase, prompts, control, approvals, waitsForInput }: SessionView, { line }: StateStyle): string[] {
  return [
    ...(waitsForInput && phase !== 'limited' ? ['waits for input?'] : []),
    ...(approvals === 0 ? [] : [`${approvals} to approve`]),
    ...(prompts.some(({ state }) => state === 'unsure') ? ['unsure about a prompt'] : []),
    ...(control === null ? [] : [`${line(control.by)} has control`]),
  ];
}
