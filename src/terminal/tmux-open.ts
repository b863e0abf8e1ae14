import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { writeWhole } from '../base/files.ts';
import type { Launch } from '../core/launch.ts';
import type { Size } from '../core/session.ts';
import type { Programs } from './programs.ts';
import { exitsFolder, type RunFolder, runName } from './run-folder.ts';
import type { RunRef } from './terminal.ts';
import type { NewSession, Opened } from './tmux-server.ts';
import { sinkLine } from './tmux-sink.ts';
import { prepareTty } from './tty.ts';

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

/** Writes the run's files and returns what its session must run: paths relative to the state folder, and no secrets. */
export function prepareRun(world: OpenWorld, ref: RunRef, launch: Launch, size: Size): NewSession {
  const files = prepareTty(world.state, ref, launch, { size, term: terminalName(launch.env) });
  closeSync(openSync(files.output, 'a', 0o600));
  const path = (absolute: string): string => relative(world.state, absolute);
  const argv = [
    'sh',
    path(world.programs.launcher),
    'tmux',
    path(files.folder),
    path(exitsFolder(world.state)),
    runName(ref),
  ];
  return { name: tmuxName(ref), size, argv, sink: sinkLine(path(files.folder)) };
}

/** Records where the run is. Without this record it is found by its name on all our servers. */
export function writeRecord(files: RunFolder, name: string, at: Opened): void {
  writeWhole(files.tmux, `${at.server} ${name} ${at.id}\n`);
}

/** Removes the record: nothing of the run is in tmux any more. */
export function forgetRecord(files: RunFolder): void {
  rmSync(files.tmux, { force: true });
}

/** Where the run is, as recorded. */
export function readRecord(files: RunFolder): { server?: number; id?: string } {
  if (!existsSync(files.tmux)) return {};
  const [, server, id] = /^(\d+) \S+ (%\d+)\n$/.exec(readFileSync(files.tmux, 'utf8')) ?? [];
  return server !== undefined && id !== undefined ? { server: Number(server), id } : {};
}

const TERMINFO = ['/etc/terminfo', '/lib/terminfo', '/usr/share/terminfo', '/usr/local/share/terminfo'];

/** tmux-256color where the command will find its terminfo entry; screen-256color is nearly the same, and everywhere. */
export function terminalName(env: Launch['env'], folders: readonly string[] = TERMINFO): string {
  const own = [env.TERMINFO, env.HOME && join(env.HOME, '.terminfo'), ...(env.TERMINFO_DIRS?.split(':') ?? [])];
  const all = [...own.flatMap((folder) => folder || []), ...folders];
  // File systems that ignore case keep it under the letter's code.
  const found = all.some((folder) => ['t', '74'].some((letter) => existsSync(join(folder, letter, 'tmux-256color'))));
  return found ? 'tmux-256color' : 'screen-256color';
}
