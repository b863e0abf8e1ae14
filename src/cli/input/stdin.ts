import { fs } from '../../client/node.ts';

/** tty: a person. stream: a pipe, a file or a socket. none: nothing to read, or not allowed. */
export type StdinKind = 'tty' | 'stream' | 'none';

/** The kind of standard input, without reading it. */
export function stdinKind(): StdinKind {
  try {
    if (process.getBuiltinModule('node:tty').isatty(0)) return isInForeground() ? 'tty' : 'none';
    return fs.fstatSync(0).isCharacterDevice() ? 'none' : 'stream';
  } catch {
    return 'none';
  }
}

/** Columns and rows of the terminal we print to; null when it is not a terminal. */
export function sizeOfTerminal(): { columns: number; rows: number } | null {
  if (!process.getBuiltinModule('node:tty').isatty(1)) return null;
  const [columns, rows] = process.stdout.getWindowSize();
  return columns >= 10 && rows >= 2 ? { columns, rows } : null;
}

/** Reads one line from a terminal. */
export function readLine(): string {
  const bytes = Buffer.alloc(1024);
  const count = fs.readSync(0, bytes);
  return bytes.toString('utf8', 0, count).split('\n')[0] ?? '';
}

// A program that a shell put into the background is stopped by the kernel when it reads the terminal.
function isInForeground(): boolean {
  try {
    const fields = fs
      .readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [, , group, , , foregroundGroup] = fields;
    return group === foregroundGroup;
  } catch {
    return true;
  }
}
