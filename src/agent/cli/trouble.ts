import type { Trouble } from '../../core/session.ts';
import { type CliEntry, TROUBLES } from './entry.ts';
import { patternOf } from './finder.ts';

/** The kind of trouble that the text of a failure shows, by the expressions of the config. */
export function troublesBy({ trouble = {} }: Pick<CliEntry, 'trouble'>): (text: string) => Trouble {
  const kinds = TROUBLES.flatMap((kind) => {
    const source = trouble[kind];
    return source === undefined ? [] : [{ kind, matches: patternOf(source) }];
  });
  return (text) => {
    const kind = kinds.find(({ matches }) => matches(text) !== null)?.kind ?? 'other';
    // When a limit ends is not known; it is tried again at growing intervals.
    return kind === 'limited' ? { kind, untilMs: null } : { kind };
  };
}
