import type headless from '@xterm/headless';
import { type Look, RowBuilder, type StyledRow } from './styled.ts';
import { hex } from './styled-text.ts';

type Buffer = InstanceType<typeof headless.Terminal>['buffer']['active'];
type Cell = ReturnType<Buffer['getNullCell']>;

/** More runs than this in one answer would be slow to send: the rows after them are plain. */
const RUNS_MAX = 12_000;

/** Rows of an emulator, from one to before another. */
export function styledRows(buffer: Buffer, from: number, to: number): StyledRow[] {
  const rows: StyledRow[] = [];
  let runs = 0;
  for (let y = from; y < to; y += 1) {
    const line = buffer.getLine(y);
    const text = line?.translateToString(true) ?? '';
    const row = line === undefined ? [] : readLine(line, buffer.getNullCell());
    runs += row.length;
    rows.push(runs <= RUNS_MAX ? row : text === '' ? [] : [{ text }]);
  }
  return rows;
}

function readLine(line: NonNullable<ReturnType<Buffer['getLine']>>, cell: Cell): StyledRow {
  const row = new RowBuilder();
  for (let x = 0; x < line.length; x += 1) {
    const read = line.getCell(x, cell);
    // The second half of a wide letter.
    if (read === undefined || read.getWidth() === 0) continue;
    const key = read.isAttributeDefault() ? '' : keyOf(read);
    row.add(read.getChars() || ' ', key === '' ? {} : lookOf(read), key);
  }
  return row.row();
}

/** Flags of the two halves of a cell have the same bits, so each stands for itself. */
function keyOf(cell: Cell): string {
  const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse()];
  const more = [cell.isInvisible(), cell.isStrikethrough(), cell.getFgColorMode(), cell.getFgColor()];
  return [...flags, ...more, cell.getBgColorMode(), cell.getBgColor()].join();
}

function lookOf(cell: Cell): Look {
  const fg = colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const bg = colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  return {
    ...(fg !== null && { fg }),
    ...(bg !== null && { bg }),
    ...(cell.isBold() && { bold: true as const }),
    ...(cell.isDim() && { dim: true as const }),
    ...(cell.isItalic() && { italic: true as const }),
    ...(cell.isUnderline() && { underline: true as const }),
    ...(cell.isInverse() && { inverse: true as const }),
    ...(cell.isInvisible() && { invisible: true as const }),
    ...(cell.isStrikethrough() && { strike: true as const }),
  } as Look;
}

function colourOf(isDefault: boolean, isRgb: boolean, value: number): number | string | null {
  if (isDefault) return null;
  return isRgb ? hex([value >> 16, value >> 8, value]) : value;
}
