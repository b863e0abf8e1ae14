import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { errnoOf } from '../base/errors.ts';
import type { RunFolder } from './run-folder.ts';
import { readIfThere } from './small-file.ts';

/** What the process behind a pane does. 'unknown': not there yet, or this system cannot tell. */
export type SinkState = 'reading' | 'writing' | 'gone' | 'unknown';

/**
 * The sink of a pane: the process that tmux gives the output to, and that appends it to the run's file.
 * It is `cat`, since tmux buffers without bound for a reader that thinks. tmux runs the line in a shell and expands
 * formats in it, so it may hold nothing but the safe characters of a path relative to the state folder.
 * A killed `cat` is replaced at once, and leaves a mark, since what it had read is lost; one that fails is not: the
 * disk may be full, and each would lose more. When the input ends after the run did, and not because tmux, its parent,
 * was killed, all output is there.
 */
export function sinkLine(folder: string): string {
  return [
    'umask 077',
    `exec >>${folder}/output`,
    `while sh -c 'echo $$ >${folder}/sink; exec cat'; status=$?; [ $status -gt 128 ]; do : >${folder}/torn; done`,
    '[ $status = 0 ] || exit',
    'read -r pid name state parent rest </proc/$$/stat',
    // A killed parent closes its files before it leaves its children. That it is exiting (flag 4) is known by then.
    'IFS=")" read -r name rest </proc/$PPID/stat',
    'set -- $rest',
    `[ -e ${folder}/exit ] && [ "$parent" = $PPID ] && [ $((\${7:-4} & 4)) = 0 ] && : >${folder}/drained`,
  ].join('; ');
}

/** tmux itself notices that a sink died only when it next has something to write, and then that is lost. */
export function lookAtSink(files: RunFolder): SinkState {
  const pid = /^\d+(?=\n$)/.exec(readIfThere(files.sink)?.toString() ?? '')?.[0];
  if (pid === undefined || !existsSync('/proc/self/stat')) return 'unknown';
  try {
    if (!isSameFile(`/proc/${pid}/fd/1`, files.output)) return 'gone';
    // It only ever sleeps in read(2).
    return /\) S [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) ? 'reading' : 'writing';
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH' ? 'gone' : 'unknown';
  }
}

/** A new sink is about to take the place of this one. */
export function forgetSink(files: RunFolder): void {
  rmSync(files.sink, { force: true });
}

/**
 * Is everything that a dead pane printed in the output file? tmux calls a pane dead when it has handed on all it read.
 * Newer ones then end the sink, which says so itself; with older ones it waits for more: that is the proof, and kept.
 */
export async function isDrained(files: RunFolder, clock: Clock): Promise<boolean> {
  if (existsSync(files.torn)) return false;
  const sink = lookAtSink(files);
  const waits = sink === 'reading' || (sink === 'unknown' && (await sizeRests(files, clock)));
  if (waits) writeFileSync(files.drained, '', { mode: 0o600 });
  return waits || existsSync(files.drained);
}

/** The number may be a stranger's by now; the file it writes to is not. */
function isSameFile(a: string, b: string): boolean {
  const [one, two] = [statSync(a), statSync(b)];
  return one.ino === two.ino && one.dev === two.dev;
}

const REST_MS = 20;

/** Where there is no /proc: good enough in practice, though no proof. */
async function sizeRests(files: RunFolder, clock: Clock): Promise<boolean> {
  if (existsSync('/proc/self/stat')) return false;
  const before = statSync(files.output).size;
  await clock.sleep(REST_MS);
  return statSync(files.output).size === before;
}
