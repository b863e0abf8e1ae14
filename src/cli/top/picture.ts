import { graphemesOf, textWidth } from '../../base/grapheme-width.ts';
import type { SessionRow } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';
import { oneLine } from '../base/print.ts';
import { approvalLines } from '../views/approval-view.ts';
import { cutColumns } from '../views/width.ts';
import { boardLines, cutLine, type Scene } from './board.ts';
import type { Edit } from './edit.ts';
import type { Line, Picture, Span, Style } from './paint.ts';
import type { Deciding } from './ui.ts';

/** The whole screen: the board, or what a person does in front of it, and the line of keys or of input. */
export function pictureOf(scene: Scene): Picture {
  const { mode } = scene.ui;
  switch (mode.is) {
    case 'board':
      return pictured(scene, boardLines(scene), KEYS);
    case 'help':
      return pictured(scene, HELP, [['any key', 'back']]);
    case 'filter':
      return withInput(scene, boardLines(scene), 'Filter: ', mode.edit);
    case 'prompt':
      return withInput(scene, boardLines(scene), `Prompt for ${shownName(scene, mode.session)}: `, mode.edit);
    case 'stop': {
      const text = `Stop ${shownName(scene, mode.session)} and everything it started? y: yes, any other key: no`;
      return { lines: [...boardLines(scene), cutLine([{ text, style: 'need' }], scene.columns)], cursor: null };
    }
    case 'approval':
      return approvalPicture(scene, mode);
  }
}

/** Keys and what they do, the most important first: those that do not fit are left out. */
const KEYS = [
  ['?', 'help'],
  ['q', 'quit'],
  ['l', 'logs'],
  ['a', 'attach'],
  ['p', 'prompt'],
  ['y/n', 'approve'],
  ['i', 'interrupt'],
  ['s', 'stop'],
  ['/', 'filter'],
  ['t', 'tree'],
  ['Tab', 'next that needs you'],
] as const;

const HELP: readonly Line[] = [
  ['↑ ↓, j k', 'select a session; PgUp PgDn: by page; g G: first, last'],
  ['Tab', 'select the next session that needs you'],
  ['Enter', 'review a pending approval, else show the logs'],
  ['y, n', 'show the pending approval with its diff; then y or n decides'],
  ['l', 'follow the logs; Ctrl-C returns'],
  ['a', 'attach to the terminal; detach to return'],
  ['p', 'type a prompt'],
  ['i', 'interrupt the command, or the turn of the agent'],
  ['s', 'stop the session; asks first'],
  ['/', 'show only sessions that match all words; Esc: show all'],
  ['t', 'show sessions below their owners'],
  ['Ctrl-L', 'redraw the screen'],
  ['Ctrl-Z', 'suspend; fg returns'],
  ['q, Ctrl-C', 'quit; sessions keep running'],
].map(([key = '', does = '']) => [{ text: `  ${key.padEnd(12)}`, style: 'bold' }, { text: does }]);

function pictured(scene: Scene, lines: readonly Line[], keys: readonly (readonly [string, string])[]): Picture {
  const { height, columns } = scene;
  const rest = Array.from({ length: Math.max(height - 1 - lines.length, 0) }, (): Line => []);
  const shown = [...lines.slice(0, height - 1), ...rest].map((line) => cutLine(line, columns));
  return { lines: [...shown, keyLine(keys, columns)], cursor: null };
}

function keyLine(keys: readonly (readonly [string, string])[], columns: number): Line {
  const spans: Span[] = [];
  let room = columns;
  for (const [key, does] of keys) {
    const gap = spans.length === 0 ? '' : '  ';
    const width = textWidth(gap + key) + 1 + does.length;
    if (width > room) continue;
    spans.push({ text: gap }, { text: key, style: 'bold' }, { text: ` ${does}`, style: 'dim' });
    room -= width;
  }
  return spans;
}

/** The last row is a line that a person types; its end is in view. */
function withInput(scene: Scene, lines: readonly Line[], label: string, edit: Edit): Picture {
  const { columns, height } = scene;
  const before = oneLine(edit.text.slice(0, edit.cursor));
  const name = cutColumns(label, Math.floor(columns / 2));
  const room = columns - textWidth(name) - 1;
  let start = before;
  while (textWidth(start) > room) start = start.slice(graphemesOf(start).next().value?.grapheme.length ?? 1);
  const after = cutColumns(oneLine(edit.text.slice(edit.cursor)), room - textWidth(start));
  const input: Line = [{ text: name, style: 'bold' }, { text: start + after }];
  const above = lines.slice(0, height - 1);
  return { lines: [...above, input], cursor: { row: above.length, column: textWidth(name) + textWidth(start) } };
}

/** An approval with its whole input, wrapped: nothing of it is cut. */
function approvalPicture(scene: Scene, mode: Deciding): Picture {
  const { columns, height } = scene;
  const count = Math.max(height - 2, 1);
  const all = approvalRows(mode, columns, scene.steadyMs);
  const first = Math.min(mode.first, Math.max(all.length - count, 0));
  const shown = all.slice(first, first + count);
  const below = all.length - first - shown.length;
  const more = [
    ...(below > 0 ? [`${below} more ${below === 1 ? 'line' : 'lines'} below (↓)`] : []),
    ...(mode.more > 0 ? [`${mode.more} more to approve after this`] : []),
  ];
  const rest = Array.from({ length: count - shown.length }, (): Line => []);
  const lines = [...shown, ...rest, cutLine([{ text: more.join(', '), style: 'need' }], columns)];
  if (mode.why !== null) return withInput(scene, lines, 'Deny. Why? (Enter: no reason) ', mode.why);
  return pictured(scene, lines, DECIDING);
}

const DECIDING = [
  ['y', 'approve'],
  ['n', 'deny'],
  ['↑↓ PgUp PgDn', 'scroll'],
  ['Esc', 'back'],
] as const;
/** The signs of a diff, behind the indentation of the input. */
const DIFF_STYLES: Readonly<Record<string, Style>> = { '  +': 'good', '  -': 'bad', '  @': 'work' };

/** An approval as rows of text; the time that is left for it goes on. */
export function approvalRows({ asked, sinceMs }: Deciding, columns: number, steadyMs: number): Line[] {
  const leftMs = asked.leftMs === null ? null : Math.max(asked.leftMs - (steadyMs - sinceMs), 0);
  const [head = '', ...lines] = approvalLines({ ...asked, leftMs }, { style: (_, text) => text });
  const isDiff = asked.diff !== null && asked.diff !== '';
  return [
    ...wrapped(head, columns).map((text): Line => [{ text, style: 'bold' }]),
    ...lines.flatMap((line) => {
      const style = isDiff ? (DIFF_STYLES[line.slice(0, 3)] ?? 'plain') : 'plain';
      return wrapped(line, columns).map((text): Line => [{ text, style }]);
    }),
  ];
}

function wrapped(text: string, columns: number): string[] {
  const rows: string[] = [];
  let [row, width] = ['', 0];
  for (const character of graphemesOf(text.replaceAll('\t', '    '))) {
    if (width + character.width > columns) {
      rows.push(row);
      [row, width] = ['', 0];
    }
    row += character.grapheme;
    width += character.width;
  }
  return [...rows, row];
}

function shownName({ rows }: Scene, session: string): string {
  const row: SessionRow | undefined = rows.get(session);
  return oneLine(row === undefined ? session : nameOf(row));
}
