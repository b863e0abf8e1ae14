import type { ScreenRead, ScreenShown } from '../seam/live.ts';
import { type Dialog, holdOf } from './holds.ts';

/** The input box: its first row, and its text. */
interface Box {
  readonly top: number;
  readonly text: string;
}

const BOX = /^›(?: |$)/;
/** Of a box with more rows only a part is shown. */
const BOX_ROWS_MAX = 60;
const EMPTY_COLUMN = 2;

/** What an empty box shows. Without colours it looks like a draft, but the cursor stands before it. */
const PLACEHOLDER = 'Ask Codex to do anything';

/** `• Working (1m 03s • esc to interrupt)`, just above the box and what is queued there. */
const STATUS = /^[•◦] .*\((?:\d+h )?(?:\d+m )?\d+s • esc to interrupt\)/;
const STATUS_ROWS_MAX = 16;
/** A title begins with such a sign while Codex works. */
const SPINNER = /^[\u2801-\u28ff] /;
const ASKING = /^\[ [!.] \] Action Required/;

/** The first match names the dialog. It counts only above the foot of a dialog. */
const DIALOGS: readonly (readonly [Dialog, RegExp])[] = [
  ['trust', /^ *Folder access$|Do you trust the contents of this directory|Trust this folder\?/m],
  ['hooks', /Hooks need review|hooks? needs? review/],
  ['model', /^ *\d?\.? ?Try new model|Use existing model|Select Model|^ *Approaching rate limits$/m],
  ['login', /Sign in with ChatGPT|Provide your own API key/],
  ['permission', /Would you like to (run|make|grant)|^[✔✗›] .*\bYes, proceed/m],
];

/** How to leave a dialog. */
const DIALOG_FOOT =
  /\b(enter|esc|tab)(\/esc|\/tab)? (to )?(confirm|continue|skip|go back|back|close|cancel|review|submit|quit)\b/i;
const FOOT_ROWS_MAX = 3;
const DIALOG_ROWS_MAX = 40;
/** One of the numbered answers of a dialog looks like a box. */
const ANSWER = /^› \d+\. \S/;

/** What the screen of Codex shows. What is not recognized is `unknown`, never `ready`. */
export function readScreen({ rows, title, cursor }: ScreenShown): ScreenRead {
  const shown = rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd());
  if (ASKING.test(title ?? '')) return { is: 'dialog', why: holdOf(dialogIn(shown.join('\n')) ?? 'permission') };
  const box = boxAt(shown, cursor);
  if (box === null) {
    const dialog = dialogOf(shown);
    return dialog === null ? { is: 'unknown' } : { is: 'dialog', why: holdOf(dialog) };
  }
  const isEmpty = box.text === PLACEHOLDER && cursor.row === box.top && cursor.column === EMPTY_COLUMN;
  const draft = isEmpty || box.text === '' ? null : box.text;
  return { is: isBusy(shown.slice(0, box.top), title) ? 'busy' : 'ready', draft };
}

function isBusy(above: readonly string[], title: string | null): boolean {
  if (SPINNER.test(title ?? '')) return true;
  return above
    .filter((row) => row !== '')
    .slice(-STATUS_ROWS_MAX)
    .some((row) => STATUS.test(row));
}

/** The box in which the cursor stands. An earlier prompt, which looks the same, has no cursor. */
function boxAt(rows: readonly string[], { row, column }: ScreenShown['cursor']): Box | null {
  if (column < EMPTY_COLUMN) return null;
  const top = rows.findLastIndex((each, i) => i <= row && BOX.test(each));
  if (top < 0 || row - top > BOX_ROWS_MAX || ANSWER.test(rows[top] ?? '')) return null;
  const isOfBox = (each: string): boolean => each === '' || each.startsWith('  ');
  if (!rows.slice(top + 1, row + 1).every(isOfBox)) return null;
  // Below the box are an empty row and a few rows of status.
  const foot = rows.slice(row + 1).indexOf('');
  if (foot < 0) return null;
  const [first = '', ...rest] = rows.slice(top, row + 1 + foot);
  const text = [first.slice(EMPTY_COLUMN), ...rest.map((each) => each.slice(EMPTY_COLUMN))].join('\n').trimEnd();
  return { top, text };
}

/** The dialog that stands in the place of the box. */
function dialogOf(rows: readonly string[]): Dialog | null {
  const last = rows.filter((row) => row !== '').slice(-DIALOG_ROWS_MAX);
  if (!last.slice(-FOOT_ROWS_MAX).some((row) => DIALOG_FOOT.test(row))) return null;
  const text = last.join('\n');
  return dialogIn(text) ?? (last.some((row) => ANSWER.test(row)) ? 'other' : null);
}

function dialogIn(text: string): Dialog | null {
  return DIALOGS.find(([, mark]) => mark.test(text))?.[0] ?? null;
}
