import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { errnoOf } from '../base/errors.ts';
import type { RunFolder } from './run-folder.ts';
import { readIfThere } from './small-file.ts';

/** What the process behind a pane does. 'unknown': it does not exist yet, or this system cannot say. */
export type SinkState = 'reading' | 'writing' | 'gone' | 'unknown';

/**
 * The sink of a pane: the process that gets the output from tmux and appends it to the run's file. It is `cat`, since
 * tmux buffers without limit for a slow reader. tmux runs the line in a shell and expands formats in it, so it may
 * contain only the safe characters of a path relative to the state folder. A killed `cat` is replaced at once and
 * leaves the file `torn`, since what it had read is lost; one that fails is not: the disk may be full, and each would
 * lose more. When the input ends after the run did, and not because tmux, its parent, was killed, the output is
 * complete.
 */
export function sinkLine(folder: string): string {
  return [
    'umask 077',
    `exec >>${folder}/output`,
    `while sh -c 'echo $$ >${folder}/sink; exec cat'; status=$?; [ $status -gt 128 ]; do : >${folder}/torn; done`,
    '[ $status = 0 ] || exit',
    'read -r pid name state parent rest </proc/$$/stat',
    // A killed parent closes its files before it leaves its children. By then the kernel shows that it is exiting (flag
    // 4).
    'IFS=")" read -r name rest </proc/$PPID/stat',
    'set -- $rest',
    `[ -e ${folder}/exit ] && [ "$parent" = $PPID ] && [ $((\${7:-4} & 4)) = 0 ] && : >${folder}/drained`,
  ].join('; ');
}

/**
 * What the sink is doing. tmux itself notices a dead sink only when it next has something to write, and then that is
 * lost.
 */
export function lookAtSink(files: RunFolder): SinkState {
  const pid = /^\d+(?=\n$)/.exec(readIfThere(files.sink)?.toString() ?? '')?.[0];
  if (pid === undefined || !existsSync('/proc/self/stat')) return 'unknown';
  try {
    // While it writes this pid, that file is its output.
    if (isSameFile(`/proc/${pid}/fd/1`, files.sink)) return 'writing';
    if (!isSameFile(`/proc/${pid}/fd/1`, files.output)) return 'gone';
    // It only ever sleeps in read(2).
    return /\) S [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) ? 'reading' : 'writing';
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH' ? 'gone' : 'unknown';
  }
}

/** Removes the record of the current sink, because a new one is about to replace it. */
export function forgetSink(files: RunFolder): void {
  rmSync(files.sink, { force: true });
}

/**
 * Is everything that a dead pane printed in the output file? Newer servers end the sink of a dead pane, which reports
 * it. With older ones the sink waits for more, but it also does so for a moment while the server still holds the end of
 * the output: only a sink that received nothing while the server did two things for us is complete. The result is kept.
 * `turn` makes the server do something; it returns false when the server did not.
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

/** The pid may be another process's by now; the file that it writes to cannot be. */
function isSameFile(a: string, b: string): boolean {
  const [one, two] = [statSync(a), statSync(b)];
  return one.ino === two.ino && one.dev === two.dev;
}

const REST_MS = 20;

/** Where there is no /proc: good enough in practice, though not proof. */
async function sizeRests(files: RunFolder, clock: Clock): Promise<boolean> {
  if (existsSync('/proc/self/stat')) return false;
  const before = statSync(files.output).size;
  await clock.sleep(REST_MS);
  return statSync(files.output).size === before;
}
