// Holds one pseudoterminal, from before its command starts until all its output is on disk. It depends on no other
// process: while the daemon is down it still records, and still answers what the command asks of its terminal. Usage:
// node holder.ts RUN-FOLDER LAUNCHER EXITS-FOLDER RUN-NAME COLUMNS ROWS

import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realClock } from '../base/clock.ts';
import { errnoOf } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { Size } from '../core/session.ts';
import { HolderSocket } from './holder-socket.ts';
import { identityOf, isAlive, parseIdentity } from './processes.ts';
import { PROGRAM_PATH } from './programs.ts';
import { Pty } from './pty.ts';
import { Recorder } from './recorder.ts';
import { Emulator } from './screen.ts';

interface Order {
  readonly folder: string;
  readonly launcher: string;
  readonly exits: string;
  readonly name: string;
  readonly size: Size;
  /** The TERM of the program's terminal. */
  readonly term: string;
}

/** The program is paused when the emulator is this far behind, and continues below the low mark. */
const LAG_BYTES_MAX = 16 * 1024 * 1024;
const LAG_BYTES_LOW = 8 * 1024 * 1024;
/** How long viewers may take to read the rest. */
const END_MS_MAX = 5_000;
const AGAIN_MS = 1_000;
/** TERM for the launcher; the plan has the TERM of the caller's terminal. */
const TERM = 'xterm-256color';

const NO_HISTORY = { above: 0, skip: 0, now: false };

const clock = realClock();

main(readOrder(process.argv.slice(2)));

function main(order: Order): void {
  process.umask(0o077);
  // Only the end of the run ends its holder. A signal to the process group of our parent must not end the session.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGXFSZ'] as const) process.on(signal, () => {});
  if (!takeRun(order)) process.exit(0);
  hold(order);
}

function readOrder(argv: readonly string[]): Order {
  const [folder = '', launcher = '', exits = '', name = '', columns, rows, term = TERM] = argv;
  return { folder, launcher, exits, name, size: { columns: Number(columns), rows: Number(rows) }, term };
}

/**
 * Makes sure of one holder per run. The launcher's claim decides which one runs the command; this keeps a second holder
 * off the files.
 */
function takeRun(order: Order): boolean {
  const file = join(order.folder, 'holder');
  if (existsSync(join(order.folder, 'claim'))) return false;
  const mine = identityOf(process.pid);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, mine === null ? '' : `${mine.pid} ${mine.start} ${mine.boot}\n`);
  try {
    removeDead(file);
    linkSync(temporary, file);
    return true;
  } catch (error) {
    // Taken or removed by another holder that starts at this moment.
    if (errnoOf(error) !== 'EEXIST' && errnoOf(error) !== 'ENOENT') throw error;
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A holder that died before the launcher's claim has run nothing. Only its file is in the way. */
function removeDead(file: string): void {
  if (!isDead(file)) return;
  const aside = `${file}.${process.pid}.dead`;
  renameSync(file, aside);
  // Another holder may have taken its place between the two lines above.
  if (!isDead(aside)) linkSync(aside, file);
  rmSync(aside);
}

function isDead(file: string): boolean {
  if (!existsSync(file)) return false;
  const other = parseIdentity(readFileSync(file, 'utf8'));
  return other === null || !isAlive(other);
}

function hold(order: Order): void {
  const emulator = new Emulator(order.size);
  const flow = { hold: () => pty.hold('disk'), release: () => pty.release('disk') };
  const recorder = new Recorder(join(order.folder, 'output'), flow, clock);
  const output = (bytes: Uint8Array): void => {
    recorder.append(bytes);
    emulator.feed(bytes);
    if (emulator.lagBytes > LAG_BYTES_MAX) pty.hold('lag');
  };
  const path = join(order.folder, 'sock');
  rmSync(path, { force: true });
  // Before the program starts: a run that is claimed has a socket.
  const socket = new HolderSocket(path, {
    name: order.name,
    pty: () => pty,
    emulator,
    size: order.size,
    term: order.term,
    clock,
  });
  const env = { PATH: PROGRAM_PATH, OUTLAST_RUN: order.name, TERM };
  const pty = new Pty({ argv: leader(order), env, size: order.size }, { output, drained: () => void finish() }, clock);
  emulator.onReply = (bytes) => {
    // A program that sends queries and never reads must not fill our memory.
    if (pty.pendingBytes < LIMITS.inputBytesMax) pty.write(bytes);
  };
  emulator.onCaughtUp = () => {
    if (emulator.lagBytes < LAG_BYTES_LOW) pty.release('lag');
  };

  async function finish(): Promise<void> {
    await recorder.flushed();
    // Before the screen, which may be far behind: a run is over when its output is complete.
    while (!writeWhole(join(order.folder, 'drained'), `${recorder.bytes}\n`)) await clock.sleep(AGAIN_MS);
    await emulator.settled();
    writeWhole(join(order.folder, 'screen'), JSON.stringify(emulator.styled(NO_HISTORY)));
    await Promise.race([socket.end(), clock.sleep(END_MS_MAX)]);
    process.exit(0);
  }
}

/**
 * When the holder is killed, the kernel sends SIGHUP to the session leader of the terminal, and to the program only if
 * the leader dies. The launcher must survive, so it is not the leader. The leader ignores all but SIGHUP.
 */
function leader(order: Order): [string, ...string[]] {
  const { launcher, folder, exits, name } = order;
  return ['sh', '-c', 'trap : INT TERM QUIT; sh "$@"; exit $?', 'leader', launcher, 'tty', folder, exits, name];
}

/** False on a full disk. */
function writeWhole(path: string, text: string): boolean {
  try {
    writeFileSync(`${path}.tmp`, text);
    renameSync(`${path}.tmp`, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') process.exit(0); // The session was removed under us.
    return false;
  }
}
