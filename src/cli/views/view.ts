import type { SessionView } from '../../api/shapes.ts';
import { shellWord } from '../../base/shell-word.ts';
import { showDuration } from '../base/duration.ts';
import { oneLine } from '../base/print.ts';

/** The name people gave it, else its id. */
export function nameOf(session: SessionView): string {
  return session.name ?? session.id;
}

/** Where a session is, or how it ended, in a few words. */
export function stateOf(session: SessionView, nowMs?: number): string {
  const { outcome, exit } = session;
  if (session.phase === 'limited') return [limitText(session, nowMs), ...troubles(session)].join(', ');
  if (session.held !== null) return `held: ${oneLine(session.held)}`;
  if (outcome === null) {
    const waits = session.waitsForInput ? ['waits for input?'] : [];
    return [session.phase, ...waits, ...troubles(session)].join(', ');
  }
  switch (outcome.kind) {
    case 'done':
      return session.drive === 'command' ? (exit?.text ?? 'exit unknown') : 'done';
    case 'stopped':
      return STOPPED[outcome.by ?? ''] ?? `stopped by ${oneLine(outcome.by ?? 'somebody')}`;
    default:
      return `${outcome.kind}: ${oneLine(outcome.why ?? 'unknown')}`;
  }
}

/** Until when it is limited, and with a clock how long that is. */
export function limitText({ limitedUntilMs }: SessionView, nowMs?: number): string {
  if (limitedUntilMs === null) return 'limited';
  const until = `until ${new Date(limitedUntilMs).toISOString().slice(0, 16)}Z`;
  if (nowMs === undefined) return `limited ${until}`;
  // It goes on some minutes after the end, not all sessions at once.
  if (limitedUntilMs <= nowMs) return `limited ${until}, about to go on`;
  return `limited for ${showDuration(limitedUntilMs - nowMs)} (${until})`;
}

/** The command that ends what a session is held for. */
export function helpText(session: SessionView): string {
  const name = nameOf(session);
  if (session.phase === 'limited') return `  Try now all the same: outlast resume ${name}`;
  return session.hold?.helps === 'resume' ? `  Go on: outlast resume ${name}` : `  Help: outlast attach ${name}`;
}

/** Stopped by what it was started with, not by somebody. */
const STOPPED: Readonly<Record<string, string>> = { timeout: 'timed out', silence: 'silent for too long' };

/** Did it end, and not well: another exit than 0, stopped, failed, or given up? */
export function endedBadly({ outcome, exit, drive }: SessionView): boolean {
  return outcome !== null && !(outcome.kind === 'done' && (drive !== 'command' || exit?.status === 0));
}

/** Was it over before we came? */
export function hadEnded({ endedAtMs }: SessionView, fromMs: number): boolean {
  return endedAtMs !== null && endedAtMs < fromMs;
}

/** What it runs, as one line: a command as it could be typed, an agent with its model and what it does or did last. */
export function commandOf(session: SessionView): string {
  if (session.drive !== 'command') return agentOf(session);
  return oneLine(session.argv.map(shellWord).join(' '));
}

function agentOf({ agent, model, prompts, lastTurn }: SessionView): string {
  const prompt = prompts[0] ?? lastTurn;
  const text = prompt === null ? '' : `: ${prompt.text.trim().replace(/\s+/g, ' ')}`;
  return oneLine(`${agent}${model === null ? '' : ` ${model}`}${text}`);
}

// What a person should know although it goes on.
function troubles({ prompts, control, approvals }: SessionView): string[] {
  return [
    ...(approvals === 0 ? [] : [`${approvals} to approve`]),
    ...(prompts.some(({ state }) => state === 'unsure') ? ['unsure'] : []),
    ...(control === null ? [] : [`${oneLine(control.by)} has control`]),
  ];
}

/** What work is in its worktree and nowhere else. */
export function workText({ worktree }: SessionView): string {
  if (worktree === undefined) return '';
  const { dirty, ahead } = worktree;
  const parts = [...(dirty > 0 ? [`${dirty} dirty`] : []), ...(ahead > 0 ? [`${ahead} ahead`] : [])];
  return parts.length === 0 ? 'clean' : parts.join(', ');
}

/** How long it has run, or ran. */
export function runTimeOf(session: SessionView, nowMs: number): string {
  return showDuration((session.endedAtMs ?? nowMs) - session.createdAtMs);
}

/** How long ago it was started. */
export function ageOf(session: SessionView, nowMs: number): string {
  return `${showDuration(nowMs - session.createdAtMs)} ago`;
}

/** Lines of a table with aligned columns; the last column is cut to fit. */
export function tableOf(rows: readonly (readonly string[])[], columnsMax: number): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  const pad = (cell: string, index: number, row: readonly string[]) =>
    index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0);
  return rows.map((row) =>
    cut(
      row
        .map((cell, index) => pad(cell, index, row))
        .join('  ')
        .trimEnd(),
      columnsMax,
    ),
  );
}

/** A line that is not longer than so many columns. */
export function cut(line: string, columnsMax: number): string {
  return line.length <= columnsMax ? line : `${line.slice(0, Math.max(columnsMax - 1, 0))}…`;
}
