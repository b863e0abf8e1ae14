import assert from 'node:assert/strict';
import { rowText } from '../terminal/styled.ts';
import type { TerminalBench } from './terminal-bench.ts';

/** What every terminal says about how its screen looks. */
export const SCREEN_CASES: Record<string, (bench: TerminalBench) => Promise<void>> = {
  'the screen shows what was printed, also afterwards': async (bench) => {
    const ref = await bench.start('printf "one\\ntwo\\n"');
    await bench.ended(ref);
    const shown = async (): Promise<string> => (await bench.terminal.screen(ref)).rows.slice(0, 2).join('|');
    await bench.until('the output was shown', async () => (await shown()) === 'one|two');
    await bench.terminal.release(ref);
    assert.equal(await shown(), 'one|two');
  },
  'the screen as it looks has the same text, with colours and the history above it': async (bench) => {
    const print = 'for i in $(seq 60); do printf "\\033[32mline %d\\033[0m plain\\n" $i; done; sleep 1000';
    const ref = await bench.start(print);
    const styled = (above: number, skip = 0) => bench.terminal.styled(ref, { above, skip, now: false });
    await bench.until('the last line was shown', async () => (await styled(0)).rows.includes('line 60 plain'));
    const seen = await styled(2, 1);
    assert.deepEqual(seen.rows, (await bench.terminal.screen(ref)).rows);
    assert.deepEqual(seen.styled.map(rowText), seen.rows);
    // The cursor is on the row after the last line.
    const top = 62 - seen.rows.length;
    assert.deepEqual(seen.styled[0], [{ text: `line ${top}`, fg: 2 }, { text: ' plain' }]);
    assert.deepEqual(seen.above.map(rowText), [`line ${top - 3} plain`, `line ${top - 2} plain`]);
    assert.equal(seen.history, top - 1);
    assert.deepEqual((await styled(1_000)).above.map(rowText)[0], 'line 1 plain');
    assert.equal((await styled(1_000)).above.length, top - 1);
    assert.deepEqual((await styled(5, 1_000)).above, []);
  },
  'the last screen has its colours after the run has ended': async (bench) => {
    const ref = await bench.start('printf "one \\033[1;31mtwo\\033[0m\\n"');
    await bench.ended(ref);
    const row = async () => (await bench.terminal.styled(ref, { above: 0, skip: 0, now: false })).styled[0] ?? [];
    await bench.until('the output was shown', async () => rowText(await row()) === 'one two');
    await bench.terminal.release(ref);
    assert.deepEqual(await row(), [{ text: 'one ' }, { text: 'two', fg: 1, bold: true }]);
  },
};
