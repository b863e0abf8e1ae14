import type { LogLine } from '../api/logs-shape.ts';
import { callBody, callHead, callTail, type LogStyle, logText } from './log-text.ts';

/** What is told of a call: its head, or all of it. */
type Told = 'begun' | 'ended';

/** Older calls are over. */
const CALLS_MAX = 1_000;

/**
 * Turns the lines of the logs into a text that only grows. Lines may come again, and changed; a call is one line when
 * it returns at once, and a text is shown while it is written.
 */
export class LogPrinter {
  readonly #style: LogStyle;
  readonly #calls = new Map<string, Told>();
  readonly #shown = new Set<string>();
  /** What was shown of texts that were not told as a whole. */
  #unconfirmed = '';
  /** The next piece of this text continues there; null: none is open. */
  #piece: { readonly id: string; readonly end: number } | null = null;
  /** Pieces do not fit to what was shown: the whole text will. */
  #isLost = false;
  /** The last line has no line feed yet: of a call, its id. */
  #open: string | null = null;
  #last: LogLine['is'] | null = null;

  constructor(style: LogStyle) {
    this.#style = style;
  }

  /** The text to print for a line; empty: nothing is new. */
  take(line: LogLine): string {
    switch (line.is) {
      case 'piece':
        return this.#takePiece(line);
      case 'text':
        return this.#takeText(line);
      case 'call':
        return this.#takeCall(line);
      default:
        return this.#takeOnce(line);
    }
  }

  /** Ends a line that is open, for example before a message of somebody else. */
  end(): string {
    const text = this.#open === null ? '' : '\n';
    this.#open = null;
    return text;
  }

  #takeOnce(line: LogLine): string {
    if (this.#shown.has(line.id)) return '';
    this.#shown.add(line.id);
    const text = logText(line, this.#style);
    return text === '' ? '' : this.#whole(line.is, text);
  }

  #takePiece({ id, text, from = 0 }: LogLine): string {
    const { safe } = this.#style;
    const isNext = this.#piece?.id === id && this.#piece.end === from;
    const shown = this.#unconfirmed;
    if (!isNext && shown !== '' && from === 0) {
      // The connection was lost: the text comes again from its beginning.
      if (shown.endsWith(text)) return this.#moved(id, text.length, '');
      const overlap = text.startsWith(shown) ? shown.length : -1;
      if (overlap >= 0) return this.#write(id, text.length, text.slice(overlap));
    }
    if (!isNext && from > 0) this.#isLost = true;
    if (this.#isLost) return '';
    const isNew = !isNext;
    const begun = isNew ? text.trimStart() : text;
    if (begun === '') return this.#moved(id, from + text.length, '');
    if (isNew && shown !== '') this.#unconfirmed += '\n';
    const before = isNew ? this.#gap('piece') : '';
    this.#moved(id, from + text.length, begun);
    return before + this.#written(safe(begun));
  }

  #write(id: string, end: number, text: string): string {
    this.#moved(id, end, text);
    return this.#written(this.#style.safe(text));
  }

  #moved(id: string, end: number, text: string): string {
    this.#piece = { id, end };
    this.#unconfirmed += text;
    return '';
  }

  #written(text: string): string {
    const isWhole = text.endsWith('\n');
    this.#open = isWhole ? null : 'piece';
    this.#last = 'piece';
    return text;
  }

  /** A text that was shown in pieces is confirmed: only its rest is new. */
  #takeText(line: LogLine): string {
    const key = `${line.id} ${line.text}`;
    if (this.#shown.has(key)) return '';
    this.#shown.add(key);
    const text = line.text.trim();
    const shown = this.#unconfirmed.trimStart();
    this.#isLost = false;
    const begun = [shown, shown.trimEnd()].find((each) => each !== '' && text.startsWith(each));
    if (begun !== undefined) {
      this.#unconfirmed = '';
      this.#piece = null;
      const rest = text.slice(begun.length);
      return `${this.#open === null && rest !== '' ? '\n' : ''}${this.#style.safe(rest)}${this.#closed('text')}`;
    }
    if (shown.startsWith(text)) {
      this.#unconfirmed = shown.slice(text.length).trimStart();
      return '';
    }
    return this.#whole('text', logText(line, this.#style));
  }

  #closed(is: LogLine['is']): string {
    this.#open = null;
    this.#last = is;
    return '\n';
  }

  #takeCall(line: LogLine): string {
    const told = this.#calls.get(line.id);
    const isOver = line.call?.ended === true;
    if (told === 'ended' || (told === 'begun' && !isOver)) return '';
    this.#calls.set(line.id, isOver ? 'ended' : 'begun');
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > CALLS_MAX && oldest !== undefined) this.#calls.delete(oldest);
    if (told === undefined && isOver) return this.#whole('call', logText(line, this.#style));
    if (told === undefined) {
      const head = callHead(line, this.#style);
      const text = `${this.#gap('call')}${head}`;
      this.#open = line.id;
      this.#last = 'call';
      return text;
    }
    if (this.#open !== line.id) return this.#whole('call', logText(line, this.#style));
    const body = callBody(line, this.#style);
    return `${callTail(line, this.#style)}${body === '' ? '' : `\n${body}`}${this.#closed('call')}`;
  }

  #whole(is: LogLine['is'], text: string): string {
    const before = this.#gap(is);
    this.#last = is;
    return `${before}${text}\n`;
  }

  /** What separates a line from the one before: texts stand apart. */
  #gap(is: LogLine['is']): string {
    const isText = (kind: LogLine['is'] | null): boolean => kind === 'text' || kind === 'piece';
    const isApart = this.#last !== null && (isText(is) || isText(this.#last) || is === 'prompt');
    return `${this.end()}${isApart ? '\n' : ''}`;
  }
}

/** The last lines of the logs as plain text; of a text that is being written, what there is. */
export function lastLines(lines: readonly LogLine[], count: number, style: LogStyle): string[] {
  const printer = new LogPrinter(style);
  const text = lines.map((line) => printer.take(line)).join('');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count);
}
