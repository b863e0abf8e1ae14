// Cleans up after a bench that was killed: a watcher process does it, else the next bench.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { eventually } from '../test/eventually.ts';
import { World } from '../test/world.ts';

/** Everything that a bench starts has this variable: the bench's pid, and when it began. */
const MARK = 'OUTLAST_BENCH';

/** Marks what this process starts from now on, and starts the watcher that ends it. */
export async function watchUs(): Promise<void> {
  await endLeft();
  const mark = `${process.pid}.${beganAt(process.pid)}`;
  const watcher = spawn(process.execPath, [import.meta.filename, mark], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  process.env[MARK] = mark;
  // The watcher waits for the end of its input, which comes with our end, however we end.
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
}

/** Ends the daemons of finished benches, and everything that runs from their state folders. */
async function endLeft(): Promise<void> {
  for (const state of new Set(readdirSync('/proc').flatMap(stateOfLeft))) {
    await new World({ state })[Symbol.asyncDispose]();
  }
}

/** The state folder of a daemon whose bench is over. Other processes are not a sure sign. */
function stateOfLeft(pid: string): string[] {
  if (!/^\d+$/.test(pid) || !read(`/proc/${pid}/cmdline`).includes('daemon.js\0')) return [];
  const env = new Map(
    read(`/proc/${pid}/environ`)
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const [mark, state] = [env.get(MARK), env.get('OUTLAST_STATE')];
  const isLeft = mark !== undefined && !isThere(mark) && state !== undefined && dirname(state) === tmpdir();
  return isLeft ? [state] : [];
}

function isThere(mark: string): boolean {
  const [pid, began] = mark.split('.');
  return began !== undefined && beganAt(Number(pid)) === began;
}

/** When a process began, from the kernel; empty when it is gone. */
function beganAt(pid: number): string {
  const [is = '', ...fields] = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return is === 'Z' || is === 'X' ? '' : (fields[18] ?? '');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

if (import.meta.main) {
  for await (const _ of process.stdin);
  await eventually(() => !isThere(process.argv[2] ?? ''), { what: 'the end of the bench' });
  await endLeft();
}
