import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderScreen } from '../../src/terminal/screen.ts';
import { isCampaign } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { SIZE, tmuxWorld } from '../tmux-world.ts';

/** Fixed rows in every test run; a campaign tries others. */
const SEED = isCampaign ? Date.now() : 20_261_116;
const FAMILY = '👨\u200d👩\u200d👧\u200d👦';

/**
 * Where versions of tmux differ (styles, skin tones), nothing is compared. Nor are flags: at the end of a row tmux 3.3a
 * breaks one between its halves.
 */
const GRAPHEMES = [FAMILY, '👩\u200d💻', '🙂', '漢', '한', 'é', 'e\u0301', 'a', ' ', 'ｗ', '│', '❯', 'ß'];

/** A cell of tmux holds 21 bytes: the last part of a large family is dropped, though its width is right. */
function alike(row: string): string {
  return row.trimEnd().replaceAll(/👨\u200d👩\u200d👧\u200d(?:👦)?/gu, 'family');
}

test.each([
  [FAMILY, 2],
  ['👩\u200d💻', 2],
  ['👍🏽', 2],
  ['❤\ufe0f', 2],
  ['🇩🇪', 2],
  ['🇩🇪🇫🇷', 4],
  ['漢', 2],
  ['한', 2],
  ['e\u0301', 1],
  ['a\u200db', 2],
  ['❤', 1],
  ['│', 1],
])('T-EMO-1: %j is as wide as agents count it', async (text, columns) => {
  const { rows, cursor } = await renderScreen(Buffer.from(text), SIZE, { convertEol: true });
  expect([rows[0], cursor.column]).toEqual([text, columns]);
});

test('T-EMO-1: rows of any graphemes wrap where tmux wraps them', { timeout: 120_000 }, async () => {
  await using world = tmuxWorld();
  const line = fc.array(fc.constantFrom(...GRAPHEMES), { minLength: 60, maxLength: 90 });
  // Each ends with a newline, so that one that is too long does not move the next.
  for (const lines of fc.sample(fc.array(line, { minLength: 6, maxLength: 6 }), { numRuns: 4, seed: SEED })) {
    const text = lines.map((each) => `>${each.join('')}<`).join('\n');
    const file = join(world.state, 'text');
    writeFileSync(file, text);
    const ref = await world.start(`cat '${file}'; exec cat`, { LC_ALL: 'C.UTF-8' });
    const { rows } = await renderScreen(Buffer.from(text), SIZE, { convertEol: true });
    const shown = await eventually(
      async () => {
        const screen = await world.terminal.screen(ref);
        return screen.rows.join('').endsWith('<') && screen;
      },
      { msMax: 60_000 },
    );
    expect(shown.rows.map(alike)).toEqual(rows.map(alike));
  }
});
