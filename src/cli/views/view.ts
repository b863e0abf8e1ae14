import type { SessionView } from '../../api/shapes.ts';
import { shellWord } from '../../base/shell-word.ts';
import { durationText } from '../../present/duration.ts';
import { nameOf, stateText } from '../../present/state.ts';
import { oneLine } from '../base/print.ts';

/** The phase of a session, or how it ended, in a few words. */
export function stateOf(session: SessionView, nowMs?: number): string {
  return stateText(session, { line: oneLine, withReason: true, nowMs });
}

/** The command that ends a hold. */
export function helpText(session: SessionView): string {
  const name = nameOf(session);
  if (session.phase === 'limited') return `  Retry now: outlast resume ${name}`;
  return session.hold?.helps === 'resume' ? `  Continue: outlast resume ${name}` : `  Help: outlast attach ${name}`;
}

/** Had it ended before this call? */
export function hadEnded({ endedAtMs }: SessionView, fromMs: number): boolean {
  return endedAtMs !== null && endedAtMs < fromMs;
}

/**
 * What it runs, as one line: a command as it could be typed, an agent with its model and its current or last prompt.
 */
export function commandOf(session: SessionView): string {
  if (session.drive !== 'command') return agentOf(session);
  return oneLine(session.argv.map(shellWord).join(' '));
}

function agentOf({ agent, model, prompts, lastTurn }: SessionView): string {
  const prompt = prompts[0] ?? lastTurn;
  const text = prompt === null ? '' : `: ${prompt.text.trim().replace(/\s+/g, ' ')}`;
  return oneLine(`${agent}${model === null ? '' : ` ${model}`}${text}`);
}

/** The work in its worktree that is nowhere else. */
export function workText({ worktree }: SessionView): string {
  if (worktree === undefined) return '';
  const { dirty, ahead } = worktree;
  const parts = [...(dirty > 0 ? [`${dirty} dirty`] : []), ...(ahead > 0 ? [`${ahead} ahead`] : [])];
  return parts.length === 0 ? 'clean' : parts.join(', ');
}

/** How long ago it was started. */
export function ageOf(session: SessionView, nowMs: number): string {
  return `${durationText(nowMs - session.createdAtMs)} ago`;
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

/** A line of at most this many columns. */
export function cut(line: string, columnsMax: number): string {
  return line.length <= columnsMax ? line : `${line.slice(0, Math.max(columnsMax - 1, 0))}…`;
}
