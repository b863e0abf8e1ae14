import { join } from 'node:path';
import type { RunRef } from './terminal.ts';

/** The files of one run. The launcher, the terminal and the hooks write them; the daemon reads them. */
export interface RunFolder {
  readonly folder: string;
  /** What to run: a 0600 sh file with environment, folder and arguments. */
  readonly plan: string;
  /**
   * An empty file that the launcher creates first. The launcher that creates it runs the command; no other one ever
   * does.
   */
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
  /** The cgroup that limits its memory, if there is one. */
  readonly cgroup: string;
  /** "N\n": how many of its processes the kernel killed for lack of memory. */
  readonly oom: string;
  /** "status=N\n", written last. An incomplete line is not an exit yet. */
  readonly exit: string;
  /** Raw bytes, in order; stderr too unless split. */
  readonly output: string;
  readonly stderr: string;
  /** "N\n": how many bytes were freed from the beginning of the output. Written before they are freed. */
  readonly dropped: string;
  /** A FIFO. */
  readonly stdin: string;
  /**
   * Messages to an agent that reads them from standard input. Only appended to; the keeper copies the file to the FIFO.
   */
  readonly input: string;
  /** How far the agent's messages were read, and the state derived from them: `{ atBytes, state }` as JSON. */
  readonly server: string;
  /** "N\n": the port on which an agent listens. */
  readonly port: string;
  /** The password of the server on that port. */
  readonly password: string;
  readonly socket: string;
  /** "SERVER SESSION PANE\n" of the tmux pane. */
  readonly tmux: string;
  /** Exists when all output of an ended terminal is in the file. */
  readonly drained: string;
  /** The last size that was requested, as JSON. */
  readonly size: string;
  /** "PID\n" of the process that writes a tmux pane's output. */
  readonly sink: string;
  /** Exists when that process was killed and replaced: what it had read is lost. */
  readonly torn: string;
  /** The error output of a holder that failed. */
  readonly holderLog: string;
  /** The last screen of an ended terminal, as JSON. */
  readonly screen: string;
  /** Payloads of the agent's hooks, one file each. */
  readonly spool: string;
  /** The folder with the files of the launch. */
  readonly files: string;
  /** The prompt of a run that is one turn. */
  readonly prompt: string;
  /**
   * The update staged for the hook after the agent's next tool, and the names it gets when the hook has delivered it or
   * the daemon has withdrawn it.
   */
  readonly update: string;
  readonly updateTaken: string;
  readonly updateWithdrawn: string;
}

/**
 * The session's folder. The files directly in it are made from the journal, and read back only to rebuild a lost
 * journal.
 */
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
    password: file('password'),
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

/** The folder that is watched for exits: each launcher writes a file here, named after the run. */
export function exitsFolder(state: string): string {
  return join(state, 'exits');
}

/** The folder with the `outlast` command of this state folder, for agents that have none in their PATH. */
export function commandFolder(state: string): string {
  return join(state, 'bin');
}

/** The folder that is watched for hook reports: each hook writes a file here, named after the run. */
export function hookSignals(state: string): string {
  return join(state, 'news');
}

/** The run's name: the value of OUTLAST_RUN in its processes' environment, and its file name among the exits. */
export function runName(ref: RunRef): string {
  return `${ref.session}.${ref.run}`;
}
