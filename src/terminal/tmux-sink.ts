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
    // While it writes this number down, that file is its output.
    if (isSameFile(`/proc/${pid}/fd/1`, files.sink)) return 'writing';
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
 * Is everything that a dead pane printed in the output file? Newer servers end the sink of a dead pane, which says so
 * itself. With older ones it waits for more, but so it does for a moment while the server still holds the end of the
 * output: only a sink that got nothing more while the server did two things for us has it all. That is kept.
 * `turn` lets the server do something; it gives false when the server did not.
 */
export async function isDrained(files: RunFolder, clock: Clock, turn: () => Promise<boolean>): Promise<boolean> {
  if (existsSync(files.torn)) return false;
  if (existsSync(files.drained)) return true;
  const before = waitingSize(files);
  const isDone = (await turn()) && (await turn());
  const waits = isDone && before !== null && waitingSize(files) === before;
  const rests = lookAtSink(files) === 'unknown' && (await sizeRests(files, clock));
  if (waits || rests) writeFileSync(files.drained, '', { mode: 0o600 });
  return waits || rests || existsSync(files.drained);
}

/** How much a sink has written that waits for more. */
function waitingSize(files: RunFolder): number | null {
  return lookAtSink(files) === 'reading' ? statSync(files.output).size : null;
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
