import type { LogLine } from '../api/logs-shape.ts';
import type { Action } from '../api/step.ts';
import { durationText } from './duration.ts';
import { titleOf } from './tool-title.ts';

export type LogColour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** How a reader sees the logs of a session. */
export interface LogStyle {
  /** Everything, with whole inputs and results. */
  readonly full: boolean;
  /** The width of a folded line; infinite where it may be long. */
  readonly columns: number;
  readonly colour: (colour: LogColour, text: string) => string;
  /** The time of day of a line; empty: no times are shown. */
  readonly time: (atMs: number | null) => string;
  /** Makes a text from outside safe for this reader, line by line. */
  readonly safe: (text: string) => string;
  /** Paths below this folder are shown relative to it. */
  readonly workspace?: string | undefined;
}

/** Plain lines without times or colours, for lists and programs. */
export const PLAIN: LogStyle = {
  full: false,
  columns: Number.POSITIVE_INFINITY,
  colour: (_, text) => text,
  time: () => '',
  safe: (text) => text,
};

/** The sign in front of each kind of line. */
const SIGNS: Readonly<Record<LogLine['is'], string>> = {
  prompt: '>',
  steering: '>',
  text: '',
  piece: '',
  thinking: '~',
  call: '-',
  note: '*',
  question: '?',
  decision: '*',
  fault: '!',
  event: '*',
  end: '=',
};

const COLOURS: Readonly<Partial<Record<LogLine['is'], LogColour>>> = {
  prompt: 'bold',
  steering: 'bold',
  thinking: 'dim',
  note: 'dim',
  question: 'yellow',
  fault: 'red',
  event: 'dim',
  end: 'bold',
};

/** How much of a long text is shown unless all of it is asked for. */
const PROMPT_LINES_MAX = 12;
const THINKING_LINES_MAX = 3;
const DIFF_LINES_MAX = 16;
const FULL_LINES_MAX = Number.POSITIVE_INFINITY;
const TITLE_CHARS_MAX = 400;
const RESULT_CHARS_MAX = 120;
/** A result gets this much of a folded line at least. */
const RESULT_COLUMNS_MIN = 24;

/** A line of the logs as people read it: without a line feed at the end, empty if there is nothing to show. */
export function logText(line: LogLine, style: LogStyle): string {
  switch (line.is) {
    case 'text':
    case 'piece':
      return style.safe(line.text.trim());
    case 'call':
      return callText(line, style);
    case 'thinking':
      return signed(line, folded(line.text, style, THINKING_LINES_MAX), style);
    default:
      return signed(line, folded(line.text, style, PROMPT_LINES_MAX), style);
  }
}

/** The beginning of a call that has not returned: the rest of its line follows. */
export function callHead(line: LogLine, style: LogStyle, columnsMax = style.columns): string {
  const { call } = line;
  if (call === undefined) return '';
  const head = headOf(line, style);
  const left = Number.isFinite(columnsMax) ? Math.max(columnsMax - head.plain, RESULT_COLUMNS_MIN) : TITLE_CHARS_MAX;
  const title = relative(
    titleOf(call.name, call.actions as unknown as readonly Action[], TITLE_CHARS_MAX),
    style.workspace,
  );
  const isNamed = title !== call.name && call.actions.length > 0;
  const name = isNamed ? '' : inputText(call.input);
  const text = cut(style.safe([title, name].filter(Boolean).join(' ')).replaceAll('\n', ' '), left);
  return `${head.text}${style.colour('cyan', text)}`;
}

/** What follows the head of a call that has ended: how long it took and what came of it. */
export function callTail(line: LogLine, style: LogStyle): string {
  const { call } = line;
  if (call === undefined || !call.ended) return '';
  const took = call.tookMs === null ? '' : `${durationText(call.tookMs)}`;
  const why = call.error ?? (call.result?.isError ? call.result.text : null);
  const told = style.full ? '' : summary(why ?? call.result?.text ?? '', style);
  const state = why === null ? 'ok' : style.colour('red', 'failed');
  const words = [state, took === '' ? '' : style.colour('dim', took)].filter(Boolean).join(' ');
  return `  ${words}${told === '' ? '' : `: ${why === null ? style.colour('dim', told) : told}`}`;
}

/** What is shown below the line of a call: its change of files and, in full, its input and result. */
export function callBody(line: LogLine, style: LogStyle): string {
  const { call } = line;
  if (call === undefined) return '';
  const max = style.full ? FULL_LINES_MAX : DIFF_LINES_MAX;
  const diff = changeLines(call.actions as unknown as readonly Action[]);
  const parts = [
    ...(style.full && diff.length === 0 ? [inputWhole(call.input)] : []),
    ...(diff.length === 0 ? [] : [some(diff, max).join('\n')]),
    ...(style.full && call.result !== null ? [call.result.text] : []),
  ];
  const lines = parts.filter((part) => part.trim() !== '').flatMap((part) => part.replace(/\n+$/, '').split('\n'));
  const pad = `${' '.repeat(headOf(line, style).plain)}  `;
  return lines.map((each) => `${pad}${coloured(style.safe(each), diff.length > 0, style)}`).join('\n');
}

function callText(line: LogLine, style: LogStyle): string {
  const tail = callTail(line, style);
  const room = Number.isFinite(style.columns) ? Math.max(RESULT_COLUMNS_MIN, Math.floor(style.columns * 0.6)) : 0;
  const head = callHead(line, style, tail === '' || room === 0 ? style.columns : room);
  const body = callBody(line, style);
  return [`${head}${tail}`, ...(body === '' ? [] : [body])].join('\n');
}

function headOf(line: LogLine, style: LogStyle): { readonly text: string; readonly plain: number } {
  const time = style.time(line.atMs);
  const indent = line.call?.subagent == null ? '' : '  ';
  const sign = `${indent}${SIGNS[line.is]} `;
  const before = time === '' ? '' : `${style.colour('dim', time)} `;
  return { text: `${before}${sign}`, plain: (time === '' ? 0 : time.length + 1) + sign.length };
}

/** Every line with the sign, or with as much room as it takes. */
function signed(line: LogLine, text: string, style: LogStyle): string {
  if (text === '') return '';
  const head = headOf(line, style);
  const colour = line.is === 'end' && isBad(line) ? 'red' : COLOURS[line.is];
  const shown = (each: string): string => (colour === undefined ? each : style.colour(colour, each));
  const [first = '', ...rest] = text.split('\n');
  const pad = ' '.repeat(head.plain);
  return [`${head.text}${shown(first)}`, ...rest.map((each) => `${pad}${shown(each)}`)].join('\n');
}

function isBad({ text }: LogLine): boolean {
  return /^ended: (?:failed|abandoned|exit [1-9])/.test(text);
}

function folded(text: string, style: LogStyle, linesMax: number): string {
  const lines = style.safe(text.trim()).split('\n');
  return (style.full ? lines : some(lines, linesMax)).join('\n');
}

function some(lines: readonly string[], max: number): readonly string[] {
  // One more line is as long as the note about it.
  if (lines.length <= max + 1) return lines;
  return [...lines.slice(0, max), `… ${lines.length - max} more lines (--full shows them)`];
}

/** The first telling line of a result, and how many there are. */
function summary(text: string, style: LogStyle): string {
  const lines = style
    .safe(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const first = cut(
    (lines[0] ?? '').trim(),
    Math.min(RESULT_CHARS_MAX, Math.max(style.columns * 0.3, RESULT_COLUMNS_MIN)),
  );
  return lines.length > 1 ? `${first} (${lines.length} lines)` : first;
}

/** The lines that a call removes and adds, as far as it says so. */
function changeLines(actions: readonly Action[]): string[] {
  return actions.flatMap((action) => {
    const change = action.is === 'write' ? action.change : null;
    if (change == null) return [];
    if (change.is === 'diff') return change.diff.split('\n').filter((line) => !/^(?:---|\+\+\+) /.test(line));
    if (change.is === 'text') return marked('+', change.text);
    return change.replacements.flatMap(({ before, after }) => [...marked('-', before), ...marked('+', after)]);
  });
}

function marked(sign: '+' | '-', text: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${sign}${line}`);
}

function coloured(line: string, isDiff: boolean, { colour }: LogStyle): string {
  if (isDiff && line.startsWith('+')) return colour('green', line);
  if (isDiff && line.startsWith('-')) return colour('red', line);
  return colour('dim', line);
}

function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  const text = input === undefined || input === null ? '' : JSON.stringify(input);
  return text === '{}' ? '' : text;
}

function inputWhole(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '');
}

function relative(text: string, workspace: string | undefined): string {
  return workspace === undefined || workspace === '/' ? text : text.replaceAll(`${workspace}/`, '');
}

function cut(text: string, charsMax: number): string {
  const most = Math.floor(charsMax);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
