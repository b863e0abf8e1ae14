import { STEERING, STEERING_OR_BREAK } from '../../base/controls.ts';
import { errnoOf } from '../../base/errors.ts';
import type { Clock } from '../../client/clock.ts';
import { fs } from '../../client/node.ts';

/** A destination for output. */
export interface Sink {
  readonly isTty: boolean;
  readonly columns: number;
  /** Resolves when the bytes are written: a slow reader slows us down. */
  write(bytes: string | Uint8Array): Promise<void>;
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Prints for people and programs. */
export class Print {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly #colour: boolean;

  constructor(stdout: Sink, stderr: Sink, env: Readonly<Record<string, string | undefined>>) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.#colour = stdout.isTty && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  }

  /** One line on stdout. */
  line(text: string): Promise<void> {
    return this.stdout.write(`${this.#colour ? harmlessButStyled(text) : harmless(text)}\n`);
  }

  /** Text from a session. It is made harmless for the terminal, and for the end of a pipe. */
  text(text: string): Promise<void> {
    return this.stdout.write(harmless(text));
  }

  json(value: unknown): Promise<void> {
    return this.stdout.write(`${JSON.stringify(value)}\n`);
  }

  /** One line on stderr, beside the result. */
  note(text: string): Promise<void> {
    return this.stderr.write(`${harmless(text)}\n`);
  }

  style(style: Style, text: string): string {
    if (!this.#colour) return text;
    return process.getBuiltinModule('node:util').styleText(style, text, { validateStream: false });
  }
}

/** Shows control characters instead of sending them to the terminal; line ends and tabs stay. */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(STEERING, escaped);
}

/** Escapes control characters, except the codes that `style` puts around a text. */
function harmlessButStyled(text: string): string {
  return text
    .split(STYLED)
    .map((part, i) => (i % 2 === 0 ? harmless(part) : part))
    .join('');
}

const STYLED = /(\x1b\[(?:1|2|22|31|32|33|36|39)m)/;

/** Escapes control characters and line ends, for one cell of a table or one line. */
export function oneLine(text: string): string {
  return text.replace(STEERING_OR_BREAK, escaped);
}

/**
 * A file descriptor as a sink. process.stdout would cost 3 ms of the start, and does not say when its bytes are
 * written.
 */
export function descriptorSink(fd: number, clock: Clock): Sink {
  const isTty = process.getBuiltinModule('node:tty').isatty(fd);
  return {
    isTty,
    get columns() {
      return isTty ? (fd === 2 ? process.stderr : process.stdout).columns || 80 : Number.POSITIVE_INFINITY;
    },
    write: (bytes) => writeAll(fd, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, clock),
  };
}

const FULL_PAUSE_MS = 5;

async function writeAll(fd: number, bytes: Uint8Array, clock: Clock): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += fs.writeSync(fd, bytes, from);
    } catch (error) {
      // A descriptor shared with a program that made it non-blocking is full: its reader needs a moment.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      await clock.sleep(FULL_PAUSE_MS);
    }
  }
}

/** Was the reader there, but the output could not be stored, as on a full disk? */
export function isFailedWrite(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'write' && errnoOf(error) !== '';
}

/** The message about it, in one line. */
export function failedWriteText(error: unknown): string {
  const why = errnoOf(error) === 'ENOSPC' ? 'no space left on the disk' : errnoOf(error);
  return `cannot write the output: ${why}; nothing is lost, read it again`;
}

/** EPIPE from a pipe, ECONNRESET from a socket, EIO from a terminal that hung up. */
export function isClosedPipe(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return false;
  return error.syscall === 'write' && ['EPIPE', 'ECONNRESET', 'EIO'].includes(String(error.code));
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
