import type { ScreenLine } from '../../client/follow.ts';
import type { StyledScreen } from './types.ts';

/** A reader that is further behind than this has missed output, and is told so. */
const SKIP_BYTES = 1024 * 1024;

/** Screens as rows of runs. What went by between two of them, when it is much, is said. */
export async function* styledScreens(lines: AsyncIterable<ScreenLine>): AsyncGenerator<StyledScreen, void, void> {
  let before: number | null = null;
  for await (const { columns, cursor, styled, offset, rows: texts } of lines) {
    const rows = styled?.rows ?? texts.map((text) => (text === '' ? [] : [{ text }]));
    const isSkip = before !== null && offset - before > SKIP_BYTES;
    yield {
      columns,
      rows,
      cursor: styled?.cursorHidden ? null : cursor,
      history: styled?.history ?? 0,
      isCursorApplication: styled?.applicationCursor ?? false,
      isKeypadApplication: styled?.applicationKeypad ?? false,
      offset,
      skipped: isSkip && before !== null ? { from: before, to: offset } : null,
    };
    before = offset;
  }
}
