import type { ScreenLine } from '../../client/follow.ts';
import type { StyledScreen } from './types.ts';

/** Nobody reads more than this between two screens. */
const BURST_BYTES = 128 * 1024;
/** A reader who has missed more than this is told so. */
const SKIP_BYTES = 1024 * 1024;

/** Screens as rows of runs. What went by in a burst, when it is much, is said. */
export async function* styledScreens(lines: AsyncIterable<ScreenLine>): AsyncGenerator<StyledScreen, void, void> {
  let before: number | null = null;
  let burstFrom = 0;
  for await (const { columns, cursor, styled, offset, rows: texts } of lines) {
    if (before === null || offset - before < BURST_BYTES) burstFrom = offset;
    before = offset;
    const rows = styled?.rows ?? texts.map((text) => (text === '' ? [] : [{ text }]));
    yield {
      columns,
      rows,
      cursor: styled?.cursorHidden ? null : cursor,
      history: styled?.history ?? 0,
      isCursorApplication: styled?.applicationCursor ?? false,
      isKeypadApplication: styled?.applicationKeypad ?? false,
      offset,
      skipped: offset - burstFrom > SKIP_BYTES ? { from: burstFrom, to: offset } : null,
    };
  }
}
