import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../base/clock.ts';
import type { TerminalKind } from '../../core/session.ts';
import { held } from '../../terminal/held.ts';
import { pipe } from '../../terminal/pipe.ts';
import { installPrograms, type Programs } from '../../terminal/programs.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { tmux } from '../../terminal/tmux.ts';
import type { Env } from '../config/config.ts';
import { installCommand } from './own-command.ts';

export interface TerminalParts {
  readonly state: string;
  readonly clock: Clock;
  /** The daemon's own environment: tmux needs some of it. */
  readonly env: Env;
}

/** One terminal of each kind in this state folder, and the small programs that were installed there. */
export function allTerminals({ state, clock, env }: TerminalParts): {
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  readonly programs: Programs;
} {
  installCommand(state);
  const programs = installPrograms(state, ['tmux.conf', 'hook.sh', 'ask.sh']);
  const terminals = {
    pipe: pipe({ state, programs, clock }),
    pty: held({ state, programs, clock, holder: ownProgram('holder'), node: process.execPath }),
    tmux: tmux({ state, programs, clock, env }),
  };
  return { terminals, programs };
}

const SOURCES = {
  holder: '../../terminal/holder.ts',
  scripted: '../../agent/claude/stand-in/main.ts',
  echo: '../../agent/echo/program/main.ts',
  search: '../search/main.ts',
  otel: '../otel/main.ts',
  'permission-server': '../../agent/claude/permission-server/main.ts',
};

/** The path of one of our programs: beside the daemon when built, in its folder when run from source. */
export function ownProgram(name: keyof typeof SOURCES): string {
  const built = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL(SOURCES[name], import.meta.url));
}
