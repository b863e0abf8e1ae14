import type { SessionRow } from '../../client/index.ts';
import type { Attention } from '../../present/attention.ts';
import { durationText } from '../../present/duration.ts';
import { endedBadly, stateText } from '../../present/state.ts';
import { oneLine } from '../base/print.ts';
import { countText } from '../views/policy-view.ts';
import type { Style } from './paint.ts';

/** The sign and the style of a section. */
export const SIGNS: Readonly<Record<Attention, readonly [sign: string, style: Style]>> = {
  'needs you': ['▲', 'need'],
  working: ['●', 'work'],
  parked: ['◷', 'park'],
  idle: ['○', 'plain'],
  ended: ['✓', 'dim'],
};

/** The sign and the style of a session: one that ended badly has its own. */
export function signOf(row: SessionRow, attention: Attention): readonly [sign: string, style: Style] {
  return attention === 'ended' && endedBadly(row) ? ['✕', 'bad'] : SIGNS[attention];
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
export function costText({ drive, usage: { usd, tokens } }: SessionRow): string {
  if (usd !== null) return `$${usd.toFixed(2)}`;
  return drive === 'command' || tokens === 0 ? '' : countText(tokens);
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
