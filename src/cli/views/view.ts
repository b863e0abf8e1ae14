import type { SessionView } from '../../api/shapes.ts';
import { beginningOf, textWidth } from '../../base/grapheme-width.ts';
import { shellWord } from '../../base/shell-word.ts';
import { durationText } from '../../present/duration.ts';
import { endedBadly, nameOf, stateText } from '../../present/state.ts';
import { oneLine, type Style } from '../base/print.ts';

/** The phase of a session, or how it ended, in a few words. */
export function stateOf(session: SessionView, nowMs?: number): string {
  return stateText(session, { line: oneLine, withReason: true, nowMs });
}

/** How the state of a session is coloured: who needs a person stands out, what is over recedes. */
export function stateStyle(session: SessionView): Style {
  const { phase, outcome, approvals } = session;
  if (phase === 'held' || approvals > 0) return 'yellow';
  if (outcome !== null) return endedBadly(session) ? 'red' : 'dim';
  if (phase === 'limited' || phase === 'recovering') return 'magenta';
  return phase === 'idle' || phase === 'queued' ? 'cyan' : 'green';
}

/** The command that ends a hold. */
export function helpText(session: SessionView): string {
  const name = nameOf(session);
  if (session.phase === 'limited') return `  Retry now: outlast resume ${name}`;
  return session.hold?.helps === 'resume' ? `  Continue: outlast resume ${name}` : `  Attach: outlast attach ${name}`;
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

/** Styles a cell of a table, by its row and column. */
export type Paint = (cell: string, row: number, column: number) => string;

/** Lines of a table with aligned columns; a line that is too long is cut. Widths are those on a terminal. */
export function tableOf(rows: readonly (readonly string[])[], columnsMax: number, paint?: Paint): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
  return rows.map((row, number) => {
    const cells = row.map((cell, index) => (index === row.length - 1 ? cell : padded(cell, widths[index] ?? 0)));
    const line = cut(cells.join('  ').trimEnd(), columnsMax);
    return paint === undefined ? line : painted(line, cells, (cell, column) => paint(cell, number, column));
  });
}

/** Styles the cells of a line that was padded and cut. The spaces between them stay plain. */
function painted(line: string, cells: readonly string[], paint: (cell: string, column: number) => string): string {
  let from = 0;
  const parts = cells.map((cell, column) => {
    const whole = line.slice(from, from + cell.length + 2);
    from += cell.length + 2;
    const text = whole.trimEnd();
    return text === '' ? whole : `${paint(text, column)}${whole.slice(text.length)}`;
  });
  return parts.join('');
}

/** A text with spaces after it, up to this many columns. */
export function padded(text: string, columns: number): string {
  return `${text}${' '.repeat(Math.max(columns - textWidth(text), 0))}`;
}

/** A line of at most this many columns. */
export function cut(line: string, columnsMax: number): string {
  return textWidth(line) <= columnsMax ? line : `${beginningOf(line, Math.max(columnsMax - 1, 0))}…`;
}
