import { join } from 'node:path';
import type { RunRef } from './terminal.ts';

/** Where one run keeps its files. Launcher, terminal and hooks write them; they are the sources the daemon looks at. */
export interface RunFolder {
  readonly folder: string;
  /** What to run: a 0600 sh file with environment, folder and arguments. */
  readonly plan: string;
  /** An empty file that the launcher makes first. Whoever makes it runs the command; nobody else ever does. */
  readonly claim: string;
  /** "PID START BOOT\n" of the launcher. */
  readonly launcher: string;
  /** "PID START BOOT\n" of the command. */
  readonly command: string;
  /** "PID START BOOT\n" of the process that keeps standard input open. */
  readonly keeper: string;
  /** "PID START BOOT\n" of the holder. */
  readonly holder: string;
  /** Why the launcher could not start the command, in a word. */
  readonly failed: string;
  /** The group of processes that bounds its memory, if there is one. */
  readonly cgroup: string;
  /** "N\n": how many of it the kernel killed for the lack of memory. */
  readonly oom: string;
  /** "status=N\n", written last. Anything less is not an exit yet. */
  readonly exit: string;
  /** Raw bytes, in order; stderr too unless split. */
  readonly output: string;
  readonly stderr: string;
  /** "N\n": how many bytes were freed from the beginning of the output. Written before they are. */
  readonly dropped: string;
  /** A FIFO. */
  readonly stdin: string;
  /** The messages to an agent that takes them on standard input. Only appended to; the keeper copies it to the FIFO. */
  readonly input: string;
  /** How far the messages of the agent were read, and what was made of them: `{ atBytes, state }` as JSON. */
  readonly server: string;
  /** "N\n": the port that an agent listens on. */
  readonly port: string;
  readonly socket: string;
  /** "SERVER SESSION PANE\n" of the tmux pane. */
  readonly tmux: string;
  /** There when all output of an ended terminal is in the file. */
  readonly drained: string;
  /** The last size that was asked for, as JSON. */
  readonly size: string;
  /** "PID\n" of the process that writes a tmux pane's output. */
  readonly sink: string;
  /** There when that process was killed and another took its place: what it had read is lost. */
  readonly torn: string;
  /** What a holder that failed had to say. */
  readonly holderLog: string;
  /** The last screen of an ended terminal, as JSON. */
  readonly screen: string;
  /** What the agent's hooks dropped, one file each. */
  readonly spool: string;
  /** The folder with the files of the launch. */
  readonly files: string;
  /** What is said to an agent in a run of one turn. */
  readonly prompt: string;
  /** What is laid out for the hook after the agent's next tool; where it is when the hook, or we, have taken it. */
  readonly update: string;
  readonly updateTaken: string;
  readonly updateWithdrawn: string;
}

/** The session's folder; what is directly in it is made from the journal, and read back only to rebuild a lost one. */
export function sessionFolder(state: string, session: string): string {
  return join(state, 'sessions', session);
}

/** The files of one run. */
export function runFolder(state: string, ref: RunRef): RunFolder {
  const folder = join(sessionFolder(state, ref.session), 'runs', String(ref.run));
  // Not `join`: this is called for every look at every run.
  const file = (name: string): string => `${folder}/${name}`;
  return {
    folder,
    plan: file('plan'),
    claim: file('claim'),
    launcher: file('launcher'),
    command: file('command'),
    keeper: file('keeper'),
    holder: file('holder'),
    failed: file('failed'),
    cgroup: file('cgroup'),
    oom: file('oom'),
    exit: file('exit'),
    output: file('output'),
    stderr: file('stderr'),
    dropped: file('dropped'),
    stdin: file('stdin'),
    input: file('input'),
    server: file('server'),
    port: file('port'),
    socket: file('sock'),
    tmux: file('tmux'),
    drained: file('drained'),
    size: file('size'),
    sink: file('sink'),
    torn: file('torn'),
    holderLog: file('holder.log'),
    screen: file('screen'),
    spool: file('spool'),
    files: file('files'),
    prompt: file('prompt'),
    update: file('offer'),
    updateTaken: file('offer.taken'),
    updateWithdrawn: file('offer.back'),
  };
}

/** The folder that is watched for exits: each launcher leaves a note here under the run's name. */
export function exitsFolder(state: string): string {
  return join(state, 'exits');
}

/** The folder with the `outlast` of this state folder, for agents whose PATH has none. */
export function commandFolder(state: string): string {
  return join(state, 'bin');
}

/** The folder that is watched for news: each hook leaves a note here under the run's name. */
export function hookSignals(state: string): string {
  return join(state, 'news');
}

/** The run's name: the value of OUTLAST_RUN in its processes' environment, and its file name among the exits. */
export function runName(ref: RunRef): string {
  return `${ref.session}.${ref.run}`;
}
