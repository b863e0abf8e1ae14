import type { LiveDrive, ScreenRead, ScreenShown } from '../seam/live.ts';
import type { CliLive } from './entry.ts';
import { patternOf } from './finder.ts';

/** A question or a sign of work is in the last rows; what is above them is past. */
const ROWS_MAX = 6;

/** Drives a program by its screen, as the config describes it. Prompts are typed as one line. */
export function cliLive(entry: CliLive): LiveDrive {
  const isCommand = patternOf(entry.command ?? '^\\s*/');
  return {
    isCommand: (text) => isCommand(text) !== null,
    // Without evidence of a person, an exit with 0 may be a mistake of the program.
    verdict: ({ status, terminalGone, personSeen }) =>
      status !== 0 || terminalGone ? 'crashed' : personSeen ? 'left' : 'unknown',
    read: screenReader(entry),
    typed: oneLine,
    boxText: (text) => text.replaceAll(/\s+/g, ''),
    isPlaceholder: () => false,
    keys: { interrupt: entry.interrupt ?? ['C-c'], clear: () => entry.clear ?? ['C-u'] },
    quit: entry.quit ?? '/exit',
  };
}

/** A line feed would submit what is before it. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function screenReader({ ready, busy, dialog }: CliLive): (shown: ScreenShown) => ScreenRead {
  const matches = patternOf(ready);
  // A screen has no blanks at the end of a row, but an input line mostly has one before its text.
  const isReady = (row: string): RegExpExecArray | null => matches(row) ?? matches(`${row} `);
  const [isBusy, isDialog] = [matcherOf(busy), matcherOf(dialog)];
  return ({ rows, cursor }) => {
    const shown = rows.slice(0, Math.max(cursor.row + 1, lastRow(rows) + 1));
    const last = shown.filter((row) => row.trim() !== '').slice(-ROWS_MAX);
    if (last.length === 0) return { is: 'unknown' };
    const question = last.find((row) => isDialog?.(row));
    if (question) return { is: 'dialog', why: { kind: 'dialog', text: `it asks: ${question.trim()}` } };
    if (last.some((row) => isBusy?.(row))) return { is: 'busy', draft: null };
    const at = shown.findLastIndex((row) => isReady(row) !== null);
    const match = at < 0 ? null : isReady(shown[at] ?? '');
    if (match !== null && isInputAt(shown, at, cursor.row)) {
      const draft = [match[1] ?? '', ...shown.slice(at + 1)].join('').trim();
      return { is: 'ready', draft: draft === '' ? null : draft };
    }
    return isBusy === null ? { is: 'busy', draft: null } : { is: 'unknown' };
  };
}

function matcherOf(source: string | undefined): ((row: string) => boolean) | null {
  if (source === undefined) return null;
  const matches = patternOf(source);
  return (row) => matches(row) !== null;
}

function lastRow(rows: readonly string[]): number {
  return rows.findLastIndex((row) => row.trim() !== '');
}

/** A shorter row is not full: no terminal of ours is that narrow. */
const COLUMNS_MIN = 40;

/**
 * Is this row the beginning of the input line? The cursor is in it, or in a row into which it is wrapped: then each row
 * before is full. An earlier prompt, which looks the same, has an answer below it.
 */
function isInputAt(rows: readonly string[], at: number, cursorRow: number): boolean {
  if (cursorRow < at) return false;
  const longest = Math.max(COLUMNS_MIN, ...rows.map((row) => row.length));
  return rows.slice(at, cursorRow).every((row) => row.length >= longest - 1);
}
