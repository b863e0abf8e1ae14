import type { SessionRow } from '../api/contract-list.ts';
import { type Attention, attentionOf } from './attention.ts';
import { durationText } from './duration.ts';
import { oneLine } from './harmless.ts';
import { endedBadly, nameOf, stateText } from './state.ts';

// A session as one row of an overview: its sign, its state in a word or two, its place in the order.

/** The sign of a section. */
export const SIGNS: Readonly<Record<Attention, string>> = {
  'needs you': '▲',
  working: '●',
  parked: '◷',
  idle: '○',
  ended: '✓',
};

/** The sign of a session that ended badly. */
export const BAD_SIGN = '✕';

/** The sign of a session. */
export function signOf(row: SessionRow, attention: Attention): string {
  return attention === 'ended' && endedBadly(row) ? BAD_SIGN : SIGNS[attention];
}

/** The state of a session in a word or two, for a narrow column. */
export function shortState(row: SessionRow, nowMs: number): string {
  const { phase, approvals, held, limitedUntilMs, prompts, control, waitsForInput, outcome } = row;
  if (phase === 'ended') return outcome === null ? 'ended' : stateText(row, { line: oneLine, withReason: false });
  if (approvals > 0) return `${approvals} to approve`;
  if (held !== null) return 'held';
  if (phase === 'limited' && limitedUntilMs !== null && limitedUntilMs > nowMs)
    return `limited ${durationText(limitedUntilMs - nowMs)}`;
  if (prompts.some(({ state }) => state === 'unsure')) return 'unsure';
  if (waitsForInput === true) return 'waits for input?';
  return control === null ? phase : `${phase}, attached`;
}

/** Why a person is needed or why it ended, else its last line. */
export function lastWords({ held, outcome, line }: SessionRow): string {
  return oneLine(held ?? outcome?.why ?? line);
}

/** What a session has cost: dollars, or tokens if its agent does not estimate them. */
export function costText({ drive, usage: { usd, tokens } }: Pick<SessionRow, 'drive' | 'usage'>): string {
  if (usd !== null) return `$${usd.toFixed(2)}`;
  return drive === 'command' || tokens === 0 ? '' : countText(tokens);
}

/** A large number in at most five characters. */
export function countText(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

const AGES = [
  [60, 1, 's'],
  [3_600, 60, 'm'],
  [86_400, 3_600, 'h'],
  [Number.POSITIVE_INFINITY, 86_400, 'd'],
] as const;

/** How long ago something was, in one unit: at most four characters for 27 years. */
export function ageText(ms: number): string {
  const seconds = Math.max(Math.floor(ms / 1_000), 0);
  const [, size, unit] = AGES.find(([below]) => seconds < below) ?? AGES[0];
  return `${Math.floor(seconds / size)}${unit}`;
}

/** The last sign of life of a session. */
export function signMs({ endedAtMs, lastSignAtMs, createdAtMs }: SessionRow): number {
  return endedAtMs ?? lastSignAtMs ?? createdAtMs;
}

/** Who waits longest for a person comes first. The other sections are newest first, and change their order rarely. */
export function sortedIn(attention: Attention, rows: SessionRow[]): SessionRow[] {
  if (attention === 'needs you') return rows.sort((a, b) => signMs(a) - signMs(b) || (a.id < b.id ? -1 : 1));
  const atMs = (row: SessionRow): number => (attention === 'ended' ? row.endedAtMs : null) ?? row.createdAtMs;
  return rows.sort((a, b) => atMs(b) - atMs(a) || (a.id < b.id ? 1 : -1));
}

/** What a filter looks at. */
export function searchedText(row: SessionRow): string {
  const { id, agent, model, phase, workspace, line, argv } = row;
  return [nameOf(row), id, agent, model ?? '', attentionOf(row), phase, workspace, line, ...argv]
    .join('\n')
    .toLowerCase();
}
