import { join } from 'node:path';
import { describe, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { held } from '../../src/terminal/held.ts';
import { installPrograms } from '../../src/terminal/programs.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';
import { makeBench, terminalCases } from '../../src/testing/terminal-suite.ts';

const make = (state: string): Terminal =>
  held({
    state,
    programs: installPrograms(state),
    clock: realClock(),
    holder: join(import.meta.dirname, '../../dist/holder.js'),
    node: process.execPath,
  });

describe('pty', () => {
  for (const { name, run } of terminalCases()) {
    test(name, { timeout: 30_000 }, async () => {
      await using bench = await makeBench(make);
      await run(bench);
    });
  }
});
