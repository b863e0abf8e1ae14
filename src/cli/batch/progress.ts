import type { Clock } from '../../client/clock.ts';
import type { Outlast } from '../../client/index.ts';
import { oneLine, type Print } from '../base/print.ts';
import { batchSum, batchTable, changeText } from './view.ts';
import type { Row } from './work.ts';

/** Shows the progress of a batch until it is done. */
export interface Progress {
  changed(row: Row): Promise<void>;
  /** Prints a warning, once. */
  warn(text: string): Promise<void>;
  stop(): Promise<void>;
}

interface Watched {
  readonly rows: readonly Row[];
  readonly outlast: Outlast;
  readonly print: Print;
  readonly clock: Clock;
}

const FRAME_MS = 500;
/** Head, sum, and the line with the cursor. */
const OTHER_LINES = 3;
const TERMINAL_LINES = 24;

/** A table that is redrawn on a terminal; elsewhere a line for each change. */
export function startProgress(watched: Watched): Progress {
  const { print } = watched;
  const said = new Set<string>();
  const once = async (text: string, say: (line: string) => unknown): Promise<void> => {
    if (said.has(text)) return;
    said.add(text);
    await say(`outlast: warning: ${oneLine(text)}`);
  };
  if (!print.stderr.isTty) {
    const note = (line: string): Promise<void> => print.note(line);
    return { changed: (row) => note(changeText(row)), warn: (text) => once(text, note), stop: async () => {} };
  }
  const over = new AbortController();
  const above: string[] = [];
  const drawing = draw(watched, above, over.signal);
  drawing.catch(() => {});
  return {
    changed: async () => {},
    warn: (text) => once(text, (line) => above.push(line)),
    stop: async () => {
      over.abort();
      await drawing;
    },
  };
}

/** Draws until it is stopped. Texts to print above the table are removed from the list. */
async function draw(watched: Watched, above: string[], signal: AbortSignal): Promise<void> {
  const { rows, print, clock } = watched;
  let height = 0;
  const clear = (): string => (height === 0 ? '' : `\x1b[${height}A\r\x1b[J`);
  const notes = (): string =>
    above
      .splice(0)
      .map((line) => `${line}\n`)
      .join('');
  while (!signal.aborted) {
    await look(watched, signal);
    const shown = someOf(rows, (process.stderr.rows || TERMINAL_LINES) - OTHER_LINES);
    const columns = print.stderr.columns - 1;
    const lines = [...batchTable(shown, print, columns, clock.steadyMs()), batchSum(rows).slice(0, columns)];
    await print.stderr.write(`${clear()}${notes()}${lines.join('\n')}\n`);
    height = lines.length;
    await clock.sleep(FRAME_MS, signal);
  }
  await print.stderr.write(`${clear()}${notes()}`);
}

/** What running sessions are doing. A failure here is ignored. */
async function look({ rows, outlast }: Watched, signal: AbortSignal): Promise<void> {
  const running = rows.filter(({ state, session }) => state === 'running' && session !== null);
  if (running.length === 0) return;
  const { sessions } = await outlast.list({ state: 'live', limit: 1_000 }, signal).catch(() => ({ sessions: [] }));
  for (const row of running) row.view = sessions.find(({ id }) => id === row.session) ?? row.view;
}

/** The rows that fit, running ones first. */
function someOf(rows: readonly Row[], linesMax: number): readonly Row[] {
  if (rows.length <= linesMax) return rows;
  const rank = ({ state, isOld }: Row): number => (state === 'running' ? 0 : state === 'held' ? 1 : isOld ? 3 : 2);
  return rows.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.max(linesMax, 1));
}
