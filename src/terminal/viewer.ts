// The program a person runs to watch a session on a pseudoterminal, or to type into it.
// Usage: node viewer.ts SOCKET [--read-only]

import { createConnection } from 'node:net';
import { OutlastError } from '../base/errors.ts';
import { causeText } from '../base/system-errors.ts';
import { decodeJson, encodeFrame, encodeJson, FRAME, type Frame, FrameReader } from './frames.ts';

/** Ctrl-\, as terminals send it: plain, in kitty's keyboard protocol, and in xterm's. */
const DETACH = /\x1c|\x1b\[92;5u|\x1b\[27;5;92~/;
/** In a viewer that cannot type, Ctrl-C can only mean to leave. */
const DETACH_READ_ONLY = /\x1c|\x03|\x1b\[92;5u|\x1b\[99;5u|\x1b\[27;5;(92|99)~/;

/**
 * An alternate screen, so that the person's own is as before when the viewer ends. The title says how to leave: the
 * program uses the screen to the last row.
 */
const ENTER = '\x1b[22;0t\x1b[?1049h\x1b[2J\x1b[H';
const TITLE = '\x1b]2;outlast: Ctrl-\\ leaves it running\x07';
/** Resets what the program may have asked of the terminal: mouse, paste, focus, keyboard, cursor, colours, region. */
const LEAVE =
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?2004l\x1b[?1004l\x1b[?2026l' +
  '\x1b[<u\x1b[>4m\x1b[?1l\x1b>\x1b[r\x1b[?7h\x1b[4l\x1b[0m\x1b[?25h\x1b[0 q\x1b[?1049l\x1b[23;0t';

const [path = '', option] = process.argv.slice(2);
const readOnly = option === '--read-only';
const { stdin, stdout } = process;
const connection = createConnection(path);
const reader = new FrameReader();
let left = false;

connection.on('error', (error) => leave(`cannot watch: ${causeText(error)}`, 1));
connection.on('close', () => leave('the process that held this terminal is gone', 1));
connection.on('data', (bytes) => {
  try {
    for (const frame of reader.push(bytes)) take(frame);
  } catch (error) {
    leave(error instanceof Error ? error.message : String(error), 1);
  }
});
stdin.on('data', (bytes: Buffer) => type(bytes));
stdin.on('end', () => leave('detached: the session keeps running', 0));
process.on('SIGWINCH', () => sendSize());
for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const) {
  process.on(signal, () => leave('detached: the session keeps running', 0));
}
process.on('uncaughtException', (error) => leave(error.message, 1));

function take(frame: Frame): void {
  switch (frame.type) {
    case FRAME.hello:
      return enter();
    case FRAME.output:
      stdout.write(frame.body);
      return;
    case FRAME.end:
      return leave('the session has ended', 0);
    case FRAME.failed:
      // A refused resize only leaves the picture odd.
      if (frame.id === ID.view) throw new OutlastError('terminal_failed', messageOf(frame));
      return;
    default:
      return;
  }
}

const ID = { view: 1, other: 2 } as const;

function enter(): void {
  if (stdin.isTTY) stdin.setRawMode(true);
  stdout.write(ENTER + TITLE);
  sendSize();
  connection.write(encodeJson(FRAME.view, ID.view, { readOnly }));
}

function sendSize(): void {
  if (readOnly || !stdout.isTTY) return;
  const { columns, rows } = stdout;
  connection.write(encodeJson(FRAME.resize, ID.other, { columns, rows, viewer: true }));
}

function type(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  const at = text.search(readOnly ? DETACH_READ_ONLY : DETACH);
  const typed = at === -1 ? bytes : bytes.subarray(0, at);
  if (!readOnly && typed.length > 0) connection.write(encodeFrame(FRAME.write, ID.other, typed));
  if (at !== -1) leave('detached: the session keeps running', 0);
}

function messageOf(frame: Frame): string {
  return (decodeJson(frame) as { readonly message: string }).message;
}

/** The only way out, so that the person's terminal is always restored. */
function leave(why: string, status: number): void {
  if (left) return;
  left = true;
  if (stdin.isTTY) stdin.setRawMode(false);
  stdout.write(LEAVE);
  stdout.write(`[outlast: ${why}]\r\n`);
  // What was typed just before must still arrive.
  connection.end(() => process.exit(status));
  if (connection.destroyed || connection.connecting) process.exit(status);
}
