import type { FoundText } from '../../api/contract-search.ts';
import { durationText } from '../../present/duration.ts';
import { commandFor, conversationName } from '../../present/found.ts';
import { oneLine, type Print } from '../base/print.ts';
import { cut } from './view.ts';

interface Shown {
  readonly print: Print;
  readonly nowMs: number;
  readonly home: string;
  readonly full: boolean;
}

const KIND_COLUMNS = 8;
const ROWS_MAX = 2;
const COLUMNS_MAX = 120;
const COLUMNS_MIN = 20;

/** What was found, in the order given; texts of one turn that follow each other stand below one heading. */
export function foundLines(found: readonly FoundText[], shown: Shown): string[] {
  return found.flatMap((one, i) => {
    const before = found[i - 1];
    const isSame = before !== undefined && commandFor(before) === commandFor(one) && before.turn === one.turn;
    const head = isSame ? [] : [...(i === 0 ? [] : ['']), ...headLines(one, shown)];
    return [...head, ...textLines(one, shown)];
  });
}

function headLines(one: FoundText, { print, nowMs, home }: Shown): string[] {
  const place = one.workspace === null ? [] : [shortPath(one.workspace, home)];
  const turn = one.turn === null ? [] : [`turn ${one.turn}`];
  const about = [...turn, `${durationText(nowMs - one.atMs)} ago`, ...place].join(', ');
  const name = oneLine(conversationName(one));
  const room = Math.max(0, print.stdout.columns - name.length - 2);
  return [`${print.style('bold', name)}  ${cut(oneLine(about), room)}`, print.style('dim', `  ${commandFor(one)}`)];
}

function textLines(one: FoundText, { print, full }: Shown): string[] {
  const label = `  ${print.style('cyan', one.kind)}${' '.repeat(KIND_COLUMNS - one.kind.length)}`;
  const indent = ' '.repeat(KIND_COLUMNS + 2);
  const columns = Math.min(print.stdout.columns, COLUMNS_MAX) - indent.length;
  const rows = full ? fullRows(one) : wrapped(flat(one), Math.max(columns, COLUMNS_MIN));
  return rows.map((row, i) => `${i === 0 ? label : indent}${styled(row, print)}`);
}

/** A character, and whether it belongs to a match. */
type Cell = readonly [character: string, isMark: boolean];

function cellsOf({ text, marks }: FoundText): Cell[] {
  return [...text.split('')].map((character, i) => [character, marks.some(({ from, to }) => i >= from && i < to)]);
}

/** On one line, with single blanks. */
function flat(one: FoundText): Cell[] {
  const { before, after } = one.cut;
  const cells = cellsOf(one).map(([character, isMark]): Cell => [/\s/.test(character) ? ' ' : character, isMark]);
  const single = cells.filter(([character], i) => character !== ' ' || (i > 0 && cells[i - 1]?.[0] !== ' '));
  return [...(before ? [ELLIPSIS] : []), ...single, ...(after ? [ELLIPSIS] : [])];
}

const ELLIPSIS: Cell = ['…', false];

function fullRows(one: FoundText): Cell[][] {
  const rows: Cell[][] = [[]];
  for (const cell of cellsOf(one)) {
    if (cell[0] === '\n') rows.push([]);
    else rows.at(-1)?.push(cell);
  }
  return rows;
}

/** A few rows with the first match in them, broken between words. */
function wrapped(cells: readonly Cell[], columns: number): Cell[][] {
  const first = Math.max(
    0,
    cells.findIndex(([, isMark]) => isMark),
  );
  const lead = Math.floor(columns / 2);
  const start = first > lead && cells.length > columns * ROWS_MAX ? first - lead : 0;
  let rest: readonly Cell[] = start === 0 ? cells : [ELLIPSIS, ...cells.slice(start)];
  const rows: Cell[][] = [];
  while (rest.length > 0 && rows.length < ROWS_MAX) {
    const space = rest.length <= columns ? rest.length : rest.slice(0, columns + 1).findLastIndex(([c]) => c === ' ');
    const at = space <= columns / 2 ? Math.min(columns, rest.length) : space;
    rows.push(rest.slice(0, at));
    rest = rest.slice(rest[at]?.[0] === ' ' ? at + 1 : at);
  }
  const last = rows.at(-1);
  if (rest.length > 0 && last !== undefined) rows[rows.length - 1] = [...last.slice(0, columns - 1), ELLIPSIS];
  return rows;
}

/** With the matches in bold. A terminal without styles shows the text alone. */
function styled(cells: readonly Cell[], print: Print): string {
  const parts: { text: string; isMark: boolean }[] = [];
  for (const [character, isMark] of cells) {
    const last = parts.at(-1);
    if (last?.isMark === isMark) last.text += character;
    else parts.push({ text: character, isMark });
  }
  return parts
    .map(({ text, isMark }) => (isMark ? print.style('bold', print.style('yellow', oneLine(text))) : oneLine(text)))
    .join('');
}

function shortPath(path: string, home: string): string {
  return home !== '' && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}
