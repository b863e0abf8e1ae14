import { rowText, type StyledScreen, type StyledWish, wantedAbove } from './styled.ts';
import { readStyledRows } from './styled-text.ts';
import type { Pane, TmuxServers } from './tmux-server.ts';

/** Facts about a pane, in this order; the title is last, because it may have spaces. */
const HEAD = [
  ...['history_size', 'pane_height', 'pane_width', 'cursor_y', 'cursor_x', 'cursor_flag'],
  ...['keypad_cursor_flag', 'keypad_flag', 'host', 'pane_title'],
];
const FORMAT = HEAD.map((name) => `#{${name}}`).join(' ');

/**
 * The screen of a pane as it looks, and rows of its history; null: the server did not answer. The history is
 * asked for by its place above the screen, so all is read in one go, and belongs together.
 */
export async function captureStyled(
  servers: TmuxServers,
  { server, id }: Pane,
  wish: StyledWish,
): Promise<StyledScreen | null> {
  const capture = ['capture-pane', '-p', '-e', '-t', id];
  const history =
    wish.above === 0 ? [] : [';', ...capture, '-S', String(-(wish.skip + wish.above)), '-E', String(-(wish.skip + 1))];
  const answer = await servers.ask(server, ['display-message', '-p', '-t', id, FORMAT, ';', ...capture, ...history]);
  if (answer.is !== 'done') return null;
  const [head = '', ...lines] = answer.text.replace(/\n$/, '').split('\n');
  const [history_, height, columns, row, column, shown, cursor, keypad, host = '', ...title] = head.split(' ');
  const rows = Number(height);
  const styled = readStyledRows(lines.slice(0, rows));
  const all = Number(history_);
  const [from, to] = wantedAbove(all, wish);
  return {
    rows: styled.map(rowText),
    columns: Number(columns),
    cursor: { row: Number(row), column: Number(column) },
    title: titleOf(title.join(' '), host),
    styled,
    // Where there is no such row, tmux answers with the nearest one.
    above: readStyledRows(lines.slice(rows)).slice(0, to - from),
    history: all,
    cursorHidden: shown === '0',
    applicationCursor: cursor === '1',
    applicationKeypad: keypad === '1',
    offset: null,
  };
}

/** A pane that was given no title has the name of the host as its title. */
export function titleOf(title: string, host: string): string | null {
  return title === '' || title === host ? null : title;
}
