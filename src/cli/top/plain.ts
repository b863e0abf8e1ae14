import type { SessionRow } from '../../client/index.ts';
import { attentionOf } from '../../present/attention.ts';
import { nameOf, stateText } from '../../present/state.ts';
import { oneLine } from '../base/print.ts';

/** What a line of the plain view is about: while this stays the same, nothing is said. */
function keyOf(row: SessionRow): string {
  const { phase, held, approvals, lastTurn, prompts, waitsForInput = false, control } = row;
  const attention = attentionOf(row);
  const isUnsure = prompts.some(({ state }) => state === 'unsure');
  const line = attention === 'needs you' && approvals > 0 ? row.line : '';
  return JSON.stringify([attention, phase, held, approvals, lastTurn, isUnsure, waitsForInput, control, line]);
}

/** A session in one line of words; null: nothing about it has changed that a person would want to hear. */
export function plainLine(before: SessionRow | undefined, row: SessionRow, nowMs: number): string | null {
  if (before !== undefined && keyOf(before) === keyOf(row)) return null;
  const attention = attentionOf(row);
  const state = stateText(row, { line: oneLine, withReason: true, nowMs });
  const words = attention === 'working' || row.held !== null ? '' : oneLine(row.line);
  const head = `${timeOf(nowMs)} ${oneLine(nameOf(row))}`;
  // The state says most; the section only where it adds to it.
  const section = attention === 'needs you' || attention === 'parked' ? [attention] : [];
  return [head, ...section, state, ...(words === '' ? [] : [words])].join(': ');
}

/** The time of day, local. */
export function timeOf(wallMs: number): string {
  return new Date(wallMs).toTimeString().slice(0, 8);
}
