import type { Outlast, SessionView } from '../../client/index.ts';
import { LogPrinter } from '../../present/log-printer.ts';
import type { LogStyle } from '../../present/log-text.ts';
import type { Context } from '../base/command.ts';
import { harmless } from '../base/print.ts';

/** What of the logs of a session to print. */
export interface LogsWanted {
  readonly session: SessionView;
  readonly follow: boolean;
  readonly full: boolean;
  /** Only the last lines; undefined: all. */
  readonly tail?: number | undefined;
  readonly sinceMs?: number | undefined;
  readonly times: boolean;
}

/** Prints the logs of an agent session, and follows them. */
export async function printLogs(
  { json, print }: Pick<Context, 'json' | 'print'>,
  outlast: Pick<Outlast, 'logs'>,
  wanted: LogsWanted,
): Promise<void> {
  const { session, follow, full, tail, sinceMs } = wanted;
  const which = { session: session.id, follow, full: full || json };
  const lines = outlast.logs({ ...which, last: tail, sinceMs });
  if (json) {
    for await (const line of lines) await print.json(line);
    return;
  }
  const printer = new LogPrinter(styleOf(print, wanted));
  if (tail !== undefined && !follow) {
    let all = '';
    for await (const line of lines) all += printer.take(line);
    return print.part(lastOf(all + printer.end(), tail));
  }
  for await (const line of lines) await print.part(printer.take(line));
  await print.part(printer.end());
}

function styleOf(print: Context['print'], { full, times, session }: LogsWanted): LogStyle {
  return {
    full,
    columns: print.stdout.columns,
    colour: (colour, text) => print.style(colour, text),
    time: (atMs) => (times ? timeOfDay(atMs) : ''),
    safe: harmless,
    workspace: session.workspace,
  };
}

/** The local time; blanks where it is not known, so that lines stay aligned. */
function timeOfDay(atMs: number | null): string {
  if (atMs === null) return ' '.repeat(8);
  return new Date(atMs).toTimeString().slice(0, 8);
}

function lastOf(text: string, count: number): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const last = count === 0 ? [] : lines.slice(-count);
  return last.length === 0 || text === '' ? '' : `${last.join('\n')}\n`;
}
