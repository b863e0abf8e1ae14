// The program that holds one pseudoterminal, from before its command starts until all it printed is on disk.
// It needs nobody: with the daemon gone it still records, still answers what the command asks of its terminal.
// Usage: node holder.ts RUN-FOLDER LAUNCHER EXITS-FOLDER RUN-NAME COLUMNS ROWS

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
  /** What the program's terminal is called. */
  readonly term: string;
}

/** The emulator may be so far behind before the program has to wait for it, and reads on when it is back here. */
const LAG_BYTES_MAX = 16 * 1024 * 1024;
const LAG_BYTES_LOW = 8 * 1024 * 1024;
/** How long viewers may take to read the rest. */
const END_MS_MAX = 5_000;
const AGAIN_MS = 1_000;
/** What the launcher is told; the plan knows what the caller's terminal really is. */
const TERM = 'xterm-256color';

const clock = realClock();

main(readOrder(process.argv.slice(2)));

function main(order: Order): void {
  process.umask(0o077);
  // Only the end of the run ends its holder. A group-wide signal to whoever started us must not take the session along.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGXFSZ'] as const) process.on(signal, () => {});
  if (!takeRun(order)) process.exit(0);
  hold(order);
}

function readOrder(argv: readonly string[]): Order {
  const [folder = '', launcher = '', exits = '', name = '', columns, rows, term = TERM] = argv;
  return { folder, launcher, exits, name, size: { columns: Number(columns), rows: Number(rows) }, term };
}

/** One holder a run. The launcher's claim decides who runs the command; this keeps a second one off the files. */
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
    // Taken, or taken away, by another one that starts at this moment.
    if (errnoOf(error) !== 'EEXIST' && errnoOf(error) !== 'ENOENT') throw error;
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A holder that died before the launcher's claim has run nothing. It is in the way only by name. */
function removeDead(file: string): void {
  if (!isDead(file)) return;
  const aside = `${file}.${process.pid}.dead`;
  renameSync(file, aside);
  // Another one may have taken its place between the two lines above.
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
  // Before the program: whoever sees the run's claim can count on the socket.
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
    // A program that asks and never reads must not fill our memory.
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
    writeWhole(join(order.folder, 'screen'), JSON.stringify(emulator.screen()));
    await Promise.race([socket.end(), clock.sleep(END_MS_MAX)]);
    process.exit(0);
  }
}

/**
 * When this process is killed, the kernel hangs up on the leader of the terminal's session, and on the program only
 * when the leader dies of it. The launcher must not, so it is not the leader. The leader minds nothing but a hangup.
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
