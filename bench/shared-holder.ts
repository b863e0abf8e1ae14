// One process that holds many pseudoterminals, for comparison: the same parts as a holder, without a socket. Usage:
// node shared-holder.ts (RUN-FOLDER LAUNCHER EXITS-FOLDER RUN-NAME COLUMNS ROWS)...

import { join } from 'node:path';
import { realClock } from '../src/base/clock.ts';
import { PROGRAM_PATH } from '../src/terminal/programs.ts';
import { Pty } from '../src/terminal/pty.ts';
import { Recorder } from '../src/terminal/recorder.ts';
import { Emulator } from '../src/terminal/screen.ts';

const WORDS = 6;
const clock = realClock();
const words = process.argv.slice(2);
let left = words.length / WORDS;
for (let from = 0; from < words.length; from += WORDS) hold(words.slice(from, from + WORDS));

function hold([folder = '', launcher = '', exits = '', name = '', columns, rows]: readonly string[]): void {
  const size = { columns: Number(columns), rows: Number(rows) };
  const emulator = new Emulator(size);
  const flow = { hold: () => pty.hold('disk'), release: () => pty.release('disk') };
  const recorder = new Recorder(join(folder, 'output'), flow, clock);
  const output = (bytes: Uint8Array): void => {
    recorder.append(bytes);
    emulator.feed(bytes);
  };
  const drained = (): void => {
    left -= 1;
    if (left === 0) process.exit(0);
  };
  const command = 'trap : INT TERM QUIT; sh "$@"; exit $?';
  const argv = ['sh', '-c', command, 'leader', launcher, 'tty', folder, exits, name] as const;
  const pty = new Pty({ argv, env: { PATH: PROGRAM_PATH, OUTLAST_RUN: name }, size }, { output, drained }, clock);
}
