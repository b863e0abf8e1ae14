import type { SessionRow } from '../../client/index.ts';
import type { Attention } from '../../present/attention.ts';
import { signOf } from '../../present/row.ts';
import { endedBadly } from '../../present/state.ts';
import type { Style } from './paint.ts';

/** The style of a section. */
export const STYLES: Readonly<Record<Attention, Style>> = {
  'needs you': 'need',
  working: 'work',
  parked: 'park',
  idle: 'plain',
  ended: 'dim',
};

/** The sign and the style of a session: one that ended badly has its own. */
export function styledSign(row: SessionRow, attention: Attention): readonly [sign: string, style: Style] {
  return [signOf(row, attention), attention === 'ended' && endedBadly(row) ? 'bad' : STYLES[attention]];
}
