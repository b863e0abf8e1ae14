import { type About, type Judged, type Judgement, type Listed, PARTIAL, type Tail } from './conversations.ts';
import { type Fields, type Line, readJsonLines, readObject } from './json.ts';
import type { LineReader } from './lines.ts';
import type { RecordReader } from './record.ts';
import { isTrivial } from './trivial.ts';

/** How the file of a conversation is judged, one JSON object per line. */
export interface LineFile<State> {
  readonly record: RecordReader<State>;
  /** The prompt in this line; null: it has none. */
  promptOf(line: Line): string | null;
  /** Is this line of a turn, and not its end? */
  isWithin(line: Line): boolean;
  /** May a line that begins like this end a turn, or begin one? */
  mayEnd(torn: string): boolean;
  /** Is only a part of the last reply recorded? Its process was terminated, or a person stopped the turn. */
  isPartial?(lines: readonly Line[]): boolean;
  /** Did a person stop the last turn, if its record leaves that open? */
  isStopped?(rows: readonly Fields[]): boolean;
}

/** Judges the state of a conversation by the end of its file; null when the last turn begins before that. */
export function judgeLines<State>(file: LineFile<State>, { text: read, isWhole }: Tail): Judged | null {
  const { text, torn } = wholeLines(read);
  const { lines } = readJsonLines(text);
  const rows = rowsIn(lines);
  const skipped = lines.length - rows.length;
  const asked = lastPrompt(file, lines);
  if (asked === null && !isWhole) return null;
  if (rows.length === 0 && skipped > 0) return { is: 'unreadable', why: 'nothing in it can be read', skipped };
  if (asked === null && torn !== null) return { ...TORN, skipped: skipped + 1 };
  if (asked === null) return withoutPrompt(lines.some(file.isWithin), skipped);
  const judged = judgedTurn(file.record, text, asked);
  const isOpen = judged.is === 'interrupted';
  if (torn !== null && (!isOpen || file.mayEnd(torn))) return { ...TORN, skipped: skipped + 1 };
  if (isOpen && isEndHidden(lines, file.isWithin)) return { ...HIDDEN, skipped };
  if (isOpen && file.isPartial?.(lines)) return { is: 'unknown', why: PARTIAL, skipped };
  return isOpen && file.isStopped?.(rows) ? { ...STOPPED, skipped } : { ...judged, skipped };
}

const STOPPED = { is: 'complete', why: 'a person stopped the turn' } as const;
/** The verdict about an open turn whose end may be damaged. */
export const HIDDEN = { is: 'unknown', why: 'a line after the last message cannot be read' } as const;
const MAYBE_OVER = {
  is: 'unknown',
  why: 'its last answer may be the end of the turn, or a call was running: its record does not say which',
} as const;
const TORN = { is: 'unknown', why: 'the last line is torn' } as const;

/** The verdict about a conversation without the prompt of its last turn. */
export function withoutPrompt(hasTurn: boolean, skipped: number): Judged {
  if (hasTurn) return { is: 'unknown', why: 'the beginning of its last turn is missing', skipped };
  return { is: 'complete', why: 'it has no turn', skipped };
}

/** Can a line not be read that may be the end of the last turn? */
export function isEndHidden(lines: readonly Line[], isWithin: (line: Line) => boolean): boolean {
  return lines.slice(lines.findLastIndex(isWithin) + 1).some(({ is }) => is === 'unreadable');
}

/** The lines that were written to their end, and the beginning of one that was not; null: there is none. */
export function wholeLines(text: string): { readonly text: string; readonly torn: string | null } {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  if (last === '') return { text, torn: null };
  // A last line that is whole counts without its end of line.
  return readObject(last) === null ? { text, torn: last } : { text: `${text}\n`, torn: null };
}

/** What the record says about the last turn. `asked`: its prompt. */
export function judgedTurn<State>(record: RecordReader<State>, text: string, asked: string): Judgement {
  const { prompts } = record.view(record.read(record.empty, text));
  const last = prompts.at(-1);
  if (last === undefined) return { is: 'interrupted', why: 'a turn has begun' };
  switch (last.turn) {
    case 'closed':
      return { is: 'complete', why: 'the last turn has ended' };
    case 'interrupted':
      return STOPPED;
    case 'failed':
      return last.trouble?.kind === 'limited'
        ? { is: 'limited', why: last.reply }
        : { is: 'failed', why: `the last turn failed: ${last.reply}` };
    default:
      if (isTrivial(asked))
        return { is: 'trivial', why: `the last message needs no answer: ${asked.trim().slice(0, 40)}` };
      if (last.mayBeOver === true) return MAYBE_OVER;
      return { is: 'interrupted', why: 'the last turn has no end' };
  }
}

/** What the lines of a conversation say about it. */
export type LineAbout = Omit<About, 'asked' | 'open'>;

/** Reads the end of a conversation, in pieces. `of` gets the rows of the end, and those of its first lines. */
export function aboutLines<State>(
  file: LineFile<State>,
  of: (rows: readonly Fields[], first: readonly Fields[]) => LineAbout,
): (first: string, listed: Listed) => LineReader<unknown, About> {
  return (first): LineReader<readonly string[], About> => ({
    empty: [],
    read: (pieces, text) => [...pieces, text],
    view: (pieces) => {
      const { text } = wholeLines(pieces.join(''));
      const { lines } = readJsonLines(text);
      const { open } = file.record.view(file.record.read(file.record.empty, text));
      return { ...of(rowsIn(lines), rowsIn(readJsonLines(first).lines)), asked: lastPrompt(file, lines) ?? '', open };
    },
  });
}

function rowsIn(lines: readonly Line[]): Fields[] {
  return lines.flatMap((line) => (line.is === 'object' ? [line.fields] : []));
}

function lastPrompt<State>({ promptOf }: LineFile<State>, lines: readonly Line[]): string | null {
  const last = lines.findLast((line) => promptOf(line) !== null);
  return last === undefined ? null : promptOf(last);
}
