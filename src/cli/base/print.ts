import { errnoOf } from '../../base/errors.ts';
import { causeText } from '../../base/system-errors.ts';
import type { Clock } from '../../client/clock.ts';
import { fs } from '../../client/node.ts';
import { harmless } from '../../present/harmless.ts';

export { harmless, oneLine } from '../../present/harmless.ts';

/** A destination for output. */
export interface Sink {
  readonly isTty: boolean;
  readonly columns: number;
  /** Resolves when the bytes are written: a slow reader slows us down. */
  write(bytes: string | Uint8Array): Promise<void>;
}

/** How a text is shown. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan';

/** When texts are coloured: `auto` on a terminal, unless the environment says otherwise. */
export const COLOURS = ['auto', 'always', 'never'] as const;
type Colours = (typeof COLOURS)[number];

/** Prints for people and programs. */
export class Print {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly #env: Environment;
  #colour: boolean;

  constructor(stdout: Sink, stderr: Sink, env: Environment) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.#env = env;
    this.#colour = isColoured('auto', stdout, env);
  }

  /** What the caller wants; until then it is `auto`. */
  colour(when: Colours): void {
    this.#colour = isColoured(when, this.stdout, this.#env);
  }

  /** One line on stdout. */
  line(text: string): Promise<void> {
    return this.stdout.write(`${this.#colour ? harmlessButStyled(text) : harmless(text)}\n`);
  }

  /** A part of a line, with styles of ours. */
  async part(text: string): Promise<void> {
    if (text !== '') await this.stdout.write(this.#colour ? harmlessButStyled(text) : harmless(text));
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

type Environment = Readonly<Record<string, string | undefined>>;

function isColoured(when: Colours, { isTty }: Sink, env: Environment): boolean {
  if (when !== 'auto') return when === 'always';
  if ((env.NO_COLOR ?? '') !== '') return false;
  if (!['', '0'].includes(env.CLICOLOR_FORCE ?? '')) return true;
  return isTty && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

/** Escapes control characters, except the codes that `style` puts around a text. */
function harmlessButStyled(text: string): string {
  return text
    .split(STYLED)
    .map((part, i) => (i % 2 === 0 ? harmless(part) : part))
    .join('');
}

const STYLED = /(\x1b\[(?:1|2|22|31|32|33|35|36|39)m)/;

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
  return `cannot write the output: ${causeText(error)}; nothing is lost, read it again`;
}

/** An error for people: what happened, and below it what to do. */
export function errorText({ message, hint }: { readonly message: string; readonly hint: string }): string {
  return hint === '' ? `outlast: ${message}` : `outlast: ${message}\n  ${hint}`;
}

/** EPIPE from a pipe, ECONNRESET from a socket, EIO from a terminal that hung up. */
export function isClosedPipe(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return false;
  return error.syscall === 'write' && ['EPIPE', 'ECONNRESET', 'EIO'].includes(String(error.code));
}
