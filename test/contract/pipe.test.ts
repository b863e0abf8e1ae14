import { describe, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { pipe } from '../../src/terminal/pipe.ts';
import { installPrograms } from '../../src/terminal/programs.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';
import { makeBench, TITLE_CASE, terminalCases } from '../../src/testing/terminal-suite.ts';

const make = (state: string): Terminal => pipe({ state, programs: installPrograms(state), clock: realClock() });

describe('pipe', () => {
  const skipped = [{ name: TITLE_CASE, reason: 'a pipe has no terminal that could have a title' }];
  for (const { name, run } of terminalCases(skipped)) {
    test(name, { timeout: 30_000 }, async () => {
      await using bench = await makeBench(make);
      await run(bench);
    });
  }
});
