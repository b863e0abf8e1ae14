import type { StyledView } from '../../client/index.ts';
import { oneLine } from '../base/print.ts';

type Row = StyledView['rows'][number];
type Run = Row[number];

/** Rows of a screen with their colours, as a terminal shows them. What the program printed is made harmless. */
export function paintedRows(rows: readonly Row[]): string[] {
  return rows.map((row) => row.map(painted).join(''));
}

function painted(run: Run): string {
  const codes = codesOf(run);
  const text = oneLine(run.text);
  return codes.length === 0 ? text : `\x1b[${codes.join(';')}m${text}\x1b[0m`;
}

const CODES = { bold: 1, dim: 2, italic: 3, underline: 4, inverse: 7, invisible: 8, strike: 9 } as const;

function codesOf(run: Run): string[] {
  const flags = Object.entries(CODES).flatMap(([name, code]) => (run[name as keyof typeof CODES] ? [`${code}`] : []));
  return [...flags, ...colour(38, run.fg), ...colour(48, run.bg)];
}

function colour(code: number, value: number | string | undefined): string[] {
  if (typeof value === 'number') return [`${code};5;${value}`];
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(value ?? '') ?? [];
  return [red, green, blue].includes(undefined)
    ? []
    : [`${code};2;${[red, green, blue].map((part) => Number.parseInt(part ?? '0', 16)).join(';')}`];
}
