import type { ScreenLine } from '../../client/follow.ts';
import type { StyledScreen } from './types.ts';

/** Screens as rows of runs. The daemon says what the rows are, not yet how they look. */
export async function* styledScreens(lines: AsyncIterable<ScreenLine>): AsyncGenerator<StyledScreen, void, void> {
  for await (const { rows, columns, cursor } of lines)
    yield { columns, rows: rows.map((text) => (text === '' ? [] : [{ text }])), cursor };
}
