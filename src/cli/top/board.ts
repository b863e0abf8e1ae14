import { textWidth } from '../../base/grapheme-width.ts';
import type { SessionRow } from '../../client/index.ts';
import { ATTENTIONS, attentionOf } from '../../present/attention.ts';
import { durationText } from '../../present/duration.ts';
import { ageText, costText, lastWords, shortState, signMs } from '../../present/row.ts';
import { nameOf } from '../../present/state.ts';
import { oneLine } from '../base/print.ts';
import { usedText } from '../views/policy-view.ts';
import { cutColumns, fitColumns } from '../views/width.ts';
import type { Item } from './items.ts';
import type { Connection } from './live-list.ts';
import type { Line, Span } from './paint.ts';
import type { Ui } from './ui.ts';
import { STYLES, styledSign } from './words.ts';

/** What the board shows. */
export interface Scene {
  readonly ui: Ui;
  readonly rows: ReadonlyMap<string, SessionRow>;
  readonly items: readonly Item[];
  readonly connection: Connection;
  readonly columns: number;
  readonly height: number;
  /** Wall time. */
  readonly nowMs: number;
  readonly steadyMs: number;
}

/** How many rows of the screen are not items: the head, the line about the selected session, the keys. */
export const FRAME_ROWS = 3;

/** The board: its head, the items that are in view, and a line about the selected session. */
export function boardLines(scene: Scene): Line[] {
  const { ui, items, height } = scene;
  const count = Math.max(height - FRAME_ROWS, 0);
  const shown = items.slice(ui.first, ui.first + count).map((item) => itemLine(item, scene));
  const empty = items.length === 0 ? [[{ text: emptyText(scene), style: 'dim' as const }]] : [];
  const rows = [...empty, ...shown];
  const rest = Array.from({ length: Math.max(count - rows.length, 0) }, (): Line => []);
  return [headLine(scene), ...rows.slice(0, count), ...rest, statusLine(scene)];
}

function emptyText({ ui, rows, connection, columns }: Scene): string {
  if (rows.size > 0) return cutColumns(`No session matches "${oneLine(ui.filter)}". Esc shows all.`, columns);
  if (connection.is === 'connecting') return 'Reading the list of sessions …';
  return cutColumns('No sessions. Start one: outlast exec -- COMMAND, or outlast start "…"', columns);
}

function headLine({ rows, ui, columns }: Scene): Line {
  const counts = Map.groupBy(rows.values(), attentionOf);
  const parts = ATTENTIONS.flatMap((attention): Span[] => {
    const count = counts.get(attention)?.length ?? 0;
    const words = attention === 'needs you' && count > 1 ? 'need you' : attention;
    return count === 0 ? [] : [{ text: `${count} ${words}`, style: STYLES[attention] }];
  });
  const filter = ui.filter === '' ? '' : `  filter: ${oneLine(ui.filter)}`;
  const head: Span[] = [{ text: 'outlast top', style: 'bold' }, { text: '  ' }];
  const line = [...head, ...parts.flatMap((part, i) => [...(i === 0 ? [] : [{ text: ' · ' }]), part])];
  const usd = [...rows.values()].reduce((sum, { usage }) => sum + (usage.usd ?? 0), 0);
  const cost = usd === 0 ? '' : `$${usd.toFixed(2)}`;
  const room = columns - line.reduce((sum, { text }) => sum + textWidth(text), 0);
  if (room < textWidth(cost) + 1) return cutLine(line, columns);
  const middle = fitColumns(filter, room - textWidth(cost));
  return [...line, { text: middle, style: 'need' }, { text: cost, style: 'dim' }];
}

function itemLine(item: Item, scene: Scene): Line {
  const { columns, nowMs, ui } = scene;
  if (item.is === 'title') {
    const style = STYLES[item.attention];
    return [{ text: cutColumns(`${item.attention.toUpperCase()} ${item.count}`, columns), style }];
  }
  const { row, attention, under } = item;
  const widths = widthsOf(columns);
  const [sign, style] = styledSign(row, attention);
  const isSelected = row.id === ui.selected;
  const indent = ' '.repeat(Math.min(under * 2, widths.name - 4));
  const cells: Span[] = [
    { text: isSelected ? '>' : ' ', style: 'bold' },
    { text: `${sign} `, style },
    { text: fitColumns(indent + oneLine(nameOf(row)), widths.name), style: isSelected ? 'inverse' : 'plain' },
    { text: ` ${fitColumns(shortState(row, nowMs), widths.state)}`, style },
    { text: ` ${fitColumns(ageText(nowMs - signMs(row)), 4, 'end')}`, style: 'dim' },
    { text: ` ${fitColumns(costText(row), widths.cost, 'end')}` },
    ...(widths.agent === 0 ? [] : [{ text: ` ${fitColumns(agentText(row), widths.agent)}`, style: 'dim' as const }]),
  ];
  const used = cells.reduce((sum, { text }) => sum + textWidth(text), 0);
  const words: Span = { text: `  ${cutColumns(lastWords(row), columns - used - 2)}` };
  return cutLine([...cells, words], columns);
}

/** The columns of each cell. What a wide screen has more, names, states and above all the last line get. */
function widthsOf(columns: number): { name: number; state: number; cost: number; agent: number } {
  const more = Math.max(columns - 80, 0);
  const isWide = columns >= 110;
  return {
    name: columns < 60 ? 10 : 14 + Math.min(Math.floor(more / 6), 14),
    state: columns < 60 ? 9 : 12 + Math.min(Math.floor(more / 8), 10),
    cost: 6,
    agent: isWide ? 16 : 0,
  };
}

function agentText({ agent, model, drive }: SessionRow): string {
  return drive === 'command' ? '' : oneLine([agent, model ?? ''].filter(Boolean).join(' '));
}

/** What is wrong, what was done, or more about the selected session. */
function statusLine({ ui, rows, connection, columns, nowMs }: Scene): Line {
  if ('atMs' in connection) return [{ text: cutColumns(lostText(connection), columns), style: 'bad' }];
  if (ui.message !== null)
    return [{ text: cutColumns(oneLine(ui.message.text), columns), style: ui.message.isError ? 'bad' : 'bold' }];
  const row = ui.selected === null ? undefined : rows.get(ui.selected);
  if (row === undefined) return [];
  const about = [
    row.id,
    row.drive === 'command' ? oneLine(row.argv.join(' ')) : `${agentText(row)}, ${usedText(row)}`,
    oneLine(row.workspace),
    `started ${durationText(nowMs - row.createdAtMs)} ago`,
  ];
  return [{ text: cutColumns(about.join(' · '), columns), style: 'dim' }];
}

function lostText({ is, atMs }: Extract<Connection, { atMs: number }>): string {
  const time = new Date(atMs).toTimeString().slice(0, 8);
  if (is === 'stopped') return `The daemon was stopped at ${time}. Start it: outlast daemon start`;
  return `The daemon has been gone since ${time}; sessions keep running. Reconnecting …`;
}

/** The beginning of a line that fits. */
export function cutLine(line: Line, columns: number): Line {
  const fitting: Span[] = [];
  let room = columns;
  for (const span of line) {
    const text = cutColumns(span.text, room);
    room -= textWidth(text);
    if (text !== '') fitting.push({ ...span, text });
    if (room <= 0) break;
  }
  return fitting;
}
