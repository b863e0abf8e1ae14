import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import type { Launch } from '../core/launch.ts';
import type { Size } from '../core/session.ts';
import { planText } from './plan.ts';
import type { Programs } from './programs.ts';
import { exitsFolder, type RunFolder, runFolder, runName } from './run-folder.ts';
import type { RunRef } from './terminal.ts';
import type { NewSession, Opened } from './tmux-server.ts';
import { sinkLine } from './tmux-sink.ts';

/** What a run in tmux is started from. */
export interface OpenWorld {
  readonly state: string;
  readonly programs: Programs;
  readonly clock: Clock;
}

/** The run's session on its server. tmux would change a name with a dot or a colon in it. */
export function tmuxName(ref: RunRef): string {
  const name = `o-${ref.session}-${ref.run}`;
  assert(/^[a-z0-9-]+$/i.test(name), `${name} is a safe name`);
  return name;
}

/** Writes the run's files and says what its session shall run: paths relative to the state folder, and no secrets. */
export function prepareRun(world: OpenWorld, ref: RunRef, launch: Launch, size: Size): NewSession {
  const files = runFolder(world.state, ref);
  mkdirSync(files.folder, { recursive: true, mode: 0o700 });
  mkdirSync(exitsFolder(world.state), { recursive: true, mode: 0o700 });
  const env = ownTerminal(launch.env);
  writeWhole(files.plan, planText({ ...launch, env }, { name: runName(ref), add: { TERM: terminalName(env) } }));
  writeWhole(sizeFile(files), JSON.stringify(size));
  closeSync(openSync(files.output, 'a', 0o600));
  const path = (absolute: string): string => relative(world.state, absolute);
  const argv = [
    'sh',
    path(world.programs.launcher),
    'tty',
    path(files.folder),
    path(exitsFolder(world.state)),
    runName(ref),
  ];
  return { name: tmuxName(ref), size, argv, sink: sinkLine(path(files.folder)) };
}

/** Notes where the run is. Without this note it is found by its name on all our servers. */
export function writeRecord(files: RunFolder, name: string, at: Opened): void {
  writeWhole(files.tmux, `${at.server} ${name} ${at.id}\n`);
}

/** Where the run is, as noted. */
export function readRecord(files: RunFolder): { server?: number; id?: string } {
  if (!existsSync(files.tmux)) return {};
  const [, server, id] = /^(\d+) \S+ (%\d+)\n$/.exec(readFileSync(files.tmux, 'utf8')) ?? [];
  return server !== undefined && id !== undefined ? { server: Number(server), id } : {};
}

/** The last size that was asked for, for a pane that cannot be asked any more. */
export function sizeFile(files: RunFolder): string {
  return join(files.folder, 'size');
}

/** Whole or not at all: a launcher that was started before may be reading it. */
export function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** They speak of the caller's terminal, not of the new one; TMUX would even lead into the caller's own tmux. */
const NOT_OURS = new Set(
  'TMUX TMUX_PANE TERM_PROGRAM TERM_PROGRAM_VERSION STY WINDOW WINDOWID TERMCAP COLUMNS LINES'.split(' '),
);

function ownTerminal(env: Launch['env']): Launch['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_OURS.has(name)));
}

const TERMINFO = ['/etc/terminfo', '/lib/terminfo', '/usr/share/terminfo', '/usr/local/share/terminfo'];

/** tmux-256color where the command will find its description; screen-256color is nearly the same, and everywhere. */
export function terminalName(env: Launch['env'], folders: readonly string[] = TERMINFO): string {
  const own = [env.TERMINFO, env.HOME && join(env.HOME, '.terminfo'), ...(env.TERMINFO_DIRS?.split(':') ?? [])];
  const all = [...own.flatMap((folder) => folder || []), ...folders];
  // Systems that do not tell capitals apart keep it under the letter's code.
  const found = all.some((folder) => ['t', '74'].some((letter) => existsSync(join(folder, letter, 'tmux-256color'))));
  return found ? 'tmux-256color' : 'screen-256color';
}
