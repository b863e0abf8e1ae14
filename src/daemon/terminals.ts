import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../base/clock.ts';
import type { TerminalKind } from '../core/session.ts';
import { held } from '../terminal/held.ts';
import { pipe } from '../terminal/pipe.ts';
import { installPrograms } from '../terminal/programs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { tmux } from '../terminal/tmux.ts';
import type { Env } from './config.ts';

export interface TerminalParts {
  readonly state: string;
  readonly clock: Clock;
  /** The daemon's own environment: tmux needs a little of it. */
  readonly env: Env;
}

/** One terminal of each kind, on this state folder. */
export function allTerminals({ state, clock, env }: TerminalParts): Readonly<Record<TerminalKind, Terminal>> {
  const programs = installPrograms(state, ['tmux.conf']);
  return {
    pipe: pipe({ state, programs, clock }),
    pty: held({ state, programs, clock, holder: holderProgram(), node: process.execPath }),
    tmux: tmux({ state, programs, clock, env }),
  };
}

/** Beside the daemon when built, in src/terminal when run from source. */
function holderProgram(): string {
  const built = fileURLToPath(new URL('./holder.js', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../terminal/holder.ts', import.meta.url));
}
